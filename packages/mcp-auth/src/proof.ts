import {
  DPoP,
  type DPoPHandle,
  WWWAuthenticateChallengeError,
  allowInsecureRequests,
  clockSkew,
  customFetch,
  protectedResourceRequest,
} from "oauth4webapi";
import type { Jwk } from "./key.ts";

/** A key pair for proofs, as JSON. */
export interface ProofKeys {
  readonly privateKey: Jwk;
  readonly publicKey: Jwk;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" } as const;

/** Proves with each request that its sender has the key that a token is bound to (RFC 9449). */
export class Proof {
  readonly keys: ProofKeys;
  /** Knows the nonces that servers have asked for. */
  readonly handle: DPoPHandle;

  private constructor(keys: ProofKeys, handle: DPoPHandle) {
    this.keys = keys;
    this.handle = handle;
  }

  /** With a new key pair. `skew` is what the server's clock is ahead, in seconds. */
  static async generate(skew: number): Promise<Proof> {
    const pair = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
    const [privateKey, publicKey] = await Promise.all([
      crypto.subtle.exportKey("jwk", pair.privateKey),
      crypto.subtle.exportKey("jwk", pair.publicKey),
    ]);
    return new Proof({ privateKey: { ...privateKey }, publicKey: { ...publicKey } }, DPoP({ [clockSkew]: skew }, pair));
  }

  /** With a key pair that was kept. */
  static async from(keys: ProofKeys, skew: number): Promise<Proof> {
    const [privateKey, publicKey] = await Promise.all([
      crypto.subtle.importKey("jwk", keys.privateKey, ALGORITHM, false, ["sign"]),
      crypto.subtle.importKey("jwk", keys.publicKey, ALGORITHM, true, ["verify"]),
    ]);
    return new Proof(keys, DPoP({ [clockSkew]: skew }, { privateKey, publicKey }));
  }

  /** Makes the proof for one request, has `send` send it, and keeps the nonce that comes back. */
  async send(token: string, method: string, url: URL, send: (proof: string) => Promise<Response>): Promise<Response> {
    try {
      return await protectedResourceRequest(token, method, url, undefined, null, {
        DPoP: this.handle,
        [allowInsecureRequests]: true,
        [customFetch]: (_url: string, { headers }) => send(headers["dpop"] ?? ""),
      });
    } catch (error) {
      if (error instanceof WWWAuthenticateChallengeError) return error.response;
      throw error;
    }
  }
}
