import { challenge } from "./challenge.ts";
import { credentialsIn } from "./credentials.ts";
import { type Metadata, metadataOf } from "./metadata.ts";
import { Proofs } from "./proofs.ts";
import type { Denial, Message, TokenAuth, VerifiedRequest } from "./request.ts";
import { type ScopeOptions, Scopes } from "./scopes.ts";
import { type CheckToken, type Token, isFault } from "./token.ts";

export interface ProtectOptions extends ScopeOptions {
  /** The address of the endpoint, as clients know it. */
  readonly resource: string;
  /** The authorization server whose tokens are taken. */
  readonly issuer: string;
  readonly check: CheckToken;
  /** What people call the server. */
  readonly name?: string | undefined;
  /** More members of the metadata, such as `resource_documentation` (RFC 9728 section 2). */
  readonly metadata?: { readonly [member: string]: unknown } | undefined;
  /** Takes no tokens but those that are bound to a key (default false: those that are bound need a proof, others none). */
  readonly dpop?: boolean | undefined;
}

/** A server's protection: pass `verify` to the HTTP transport, and answer for the metadata. */
export interface Protection extends Metadata {
  /** The `verify` of @x/transport-http. */
  readonly verify: (request: VerifiedRequest) => Promise<TokenAuth | Denial>;
}

/** Protects a server with tokens that `check` looks at (authorization, "Access Token Usage", "Error Handling"). */
export function protect(options: ProtectOptions): Protection {
  const metadata = metadataOf(options);
  const guard = new Guard(options, metadata.url);
  return { ...metadata, verify: (request) => guard.verify(request) };
}

/** Says who may do what. */
class Guard {
  readonly #options: ProtectOptions;
  readonly #metadataUrl: string;
  readonly #scopes: Scopes;
  readonly #proofs: Proofs;
  readonly #scheme: "Bearer" | "DPoP";

  constructor(options: ProtectOptions, metadataUrl: string) {
    this.#options = options;
    this.#metadataUrl = metadataUrl;
    this.#scopes = new Scopes(options);
    this.#proofs = new Proofs(options.resource);
    this.#scheme = options.dpop ? "DPoP" : "Bearer";
  }

  async verify(request: VerifiedRequest): Promise<TokenAuth | Denial> {
    const credentials = credentialsIn(request);
    if (credentials.kind === "none") return this.#deny(401, this.#scopes.always);
    if (credentials.kind === "malformed") return this.#deny(400, [], "invalid_request", credentials.fault);
    const { scheme, token } = credentials;
    const verdict = await this.#options.check(token);
    if (isFault(verdict)) return this.#invalid(verdict.fault);
    if (verdict.expiresAt !== undefined && verdict.expiresAt + TOLERANCE < Date.now())
      return this.#invalid("The token has expired");
    const { cnf } = verdict.claims as { readonly cnf?: { readonly jkt?: unknown } };
    if (cnf?.jkt === undefined && (scheme === "dpop" || this.#options.dpop))
      return this.#invalid("Expected a token that is bound to a key");
    if (cnf?.jkt !== undefined) {
      if (scheme !== "dpop") return this.#invalid("The token is bound to a key: expected the scheme DPoP and a proof");
      const fault = await this.#proofs.check(request, token, cnf.jkt);
      if (fault !== undefined) return this.#deny(401, this.#scopes.always, "invalid_dpop_proof", fault, "DPoP");
    }
    const { subject, clientId } = verdict;
    // Of a client that acts for itself most issuers give the id as the subject too (RFC 9068 section 2.2).
    const alone = clientId !== undefined && (subject === undefined || subject === clientId);
    const principal = alone ? `client:${clientId}` : subject;
    if (principal === undefined) return this.#invalid("The token has neither a subject nor a client");
    return this.#permit(verdict, this.#scopes.always) ?? this.#authOf(principal, verdict);
  }

  #authOf(principal: string, token: Token): TokenAuth {
    const { subject, clientId, scopes, expiresAt, claims } = token;
    const permit = (message: Message): Denial | undefined => this.#permit(token, this.#scopes.neededFor(message));
    return { principal, issuer: this.#options.issuer, subject, clientId, scopes, expiresAt, claims, permit };
  }

  #permit({ scopes }: Token, needed: readonly string[]): Denial | undefined {
    if (this.#scopes.cover(scopes, needed)) return undefined;
    return this.#deny(403, needed, "insufficient_scope", `Expected the scope ${needed.join(" ")}`);
  }

  #invalid(fault: string): Denial {
    return this.#deny(401, this.#scopes.always, "invalid_token", fault);
  }

  /** Whoever shows nothing is told of no error (RFC 6750 section 3.1). */
  #deny(
    status: number,
    scopes: readonly string[],
    error?: string,
    description?: string,
    scheme = this.#scheme,
  ): Denial {
    const header = challenge(scheme, {
      error,
      error_description: description,
      scope: scopes.length === 0 ? undefined : scopes.join(" "),
      resource_metadata: this.#metadataUrl,
    });
    return { status, headers: { "WWW-Authenticate": header }, message: description ?? "Authorization is needed" };
  }
}

/** ms by which clocks may differ. */
export const TOLERANCE = 30_000;
