import { EmbeddedJWK, type JWK, calculateJwkThumbprint, errors, jwtVerify } from "jose";
import type { VerifiedRequest } from "./request.ts";

/** Seconds after which a proof is too old. */
const AGE = 300;

/** Proofs that are remembered, so that none is used twice. */
const MAX = 10_000;

const ALGORITHMS = ["ES256", "ES384", "ES512", "EdDSA", "Ed25519", "PS256", "PS384", "PS512", "RS256"];

/** Checks that whoever sends a token has the key that it is bound to (RFC 9449 section 4.3). */
export class Proofs {
  readonly #origin: string;
  /** Ids of proofs, and when they may be forgotten. */
  readonly #seen = new Map<string, number>();

  /** `resource` is the address of the server, as clients know it. */
  constructor(resource: string) {
    this.#origin = new URL(resource).origin;
  }

  /** What is wrong with the proof of a request; undefined where nothing is. */
  async check(request: VerifiedRequest, token: string, thumbprint: unknown): Promise<string | undefined> {
    const proof = request.header("dpop");
    if (proof === undefined) return "The proof is missing";
    try {
      const options = { typ: "dpop+jwt", algorithms: ALGORITHMS, maxTokenAge: AGE, clockTolerance: 30 };
      const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, options);
      const { jti, htm, htu, ath, iat = 0 } = payload;
      if (htm !== request.method) return "The proof is for another method";
      if (!this.#isHere(htu, request.target)) return "The proof is for another address";
      if (ath !== (await hashOf(token))) return "The proof is for another token";
      if ((await calculateJwkThumbprint(protectedHeader.jwk as JWK)) !== thumbprint)
        return "The proof is made with another key";
      return typeof jti === "string" && this.#isNew(jti, iat) ? undefined : "The proof was used before";
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return "The proof is not valid, or too old";
      throw error;
    }
  }

  #isHere(htu: unknown, target: string): boolean {
    if (typeof htu !== "string" || !URL.canParse(htu)) return false;
    const { origin, pathname } = new URL(htu);
    return origin === this.#origin && pathname === target.replace(/\?.*$/s, "");
  }

  #isNew(jti: string, iat: number): boolean {
    const now = Date.now() / 1000;
    for (const [id, until] of this.#seen) {
      if (until >= now && this.#seen.size < MAX) break;
      this.#seen.delete(id);
    }
    if (this.#seen.has(jti)) return false;
    this.#seen.set(jti, iat + AGE + 60);
    return true;
  }
}

async function hashOf(token: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token)));
  return btoa(String.fromCharCode(...bytes)).replace(
    /[+/=]/g,
    (character) => ({ "+": "-", "/": "_" })[character] ?? "",
  );
}
