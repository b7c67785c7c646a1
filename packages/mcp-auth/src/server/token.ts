/** A token that is good. */
export interface Token {
  readonly subject?: string | undefined;
  readonly clientId?: string | undefined;
  readonly scopes: readonly string[];
  /** ms since 1970; undefined where it doesn't end by itself. */
  readonly expiresAt?: number | undefined;
  readonly claims: { readonly [claim: string]: unknown };
}

/** Why a token is not good, for the client to read. */
export interface TokenFault {
  readonly fault: string;
}

/**
 * Looks at a token. Gives what it says if it is good and meant for this server; a fault is answered with 401. Rejects where
 * that can't be found out, which is answered with 500.
 */
export type CheckToken = (token: string) => Promise<Token | TokenFault>;

export const isFault = (verdict: Token | TokenFault): verdict is TokenFault => "fault" in verdict;

/** Reads the claims of RFC 9068 and RFC 7662, and the names that the larger providers have for them. */
export function tokenOf(claims: { readonly [claim: string]: unknown }): Token {
  const { sub, client_id, azp, cid, scope, scp, exp } = claims;
  return {
    subject: text(sub),
    clientId: text(client_id) ?? text(azp) ?? text(cid),
    scopes: [scope, scp]
      .flatMap((each) => (typeof each === "string" ? each.split(" ") : Array.isArray(each) ? each.map(String) : []))
      .filter(Boolean),
    expiresAt: typeof exp === "number" ? exp * 1000 : undefined,
    claims,
  };
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
