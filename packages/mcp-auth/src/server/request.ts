// What this package and @x/transport-http agree on, by its shape alone: neither imports the other.

/** What a verifier sees of a request: the `HttpRequest` of @x/transport-http. */
export interface VerifiedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** A header's value; `name` is lower-case. */
  header(name: string): string | undefined;
}

/** Why nobody is let in. */
export interface Denial {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly message: string;
}

/** A message of the body, as far as scopes go. */
export interface Message {
  readonly jsonrpc: string;
  readonly method?: string;
  readonly params?: unknown;
}

/** Who makes a request: what handlers see as `context.info.auth`. The token itself is not in it. */
export interface TokenAuth {
  readonly [detail: string]: unknown;
  /** The subject at the issuer, or "client:" and the id of a client that acts for itself. */
  readonly principal: string;
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly clientId: string | undefined;
  readonly scopes: readonly string[];
  /** ms since 1970. */
  readonly expiresAt: number | undefined;
  /** Everything that the issuer says. */
  readonly claims: { readonly [claim: string]: unknown };
  /** Asked for each message of the body: what its method or tool needs besides. */
  readonly permit: (message: Message) => Denial | undefined;
}
