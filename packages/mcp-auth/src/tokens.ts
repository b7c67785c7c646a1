import { objectIn, stringIn, stringsIn } from "./body.ts";
import { AuthError, type Step, quote } from "./error.ts";
import { formIn, oauthErrorOf } from "./oauth-error.ts";

/** An answer of a token endpoint (RFC 6749 section 5.1). */
export interface Tokens {
  readonly accessToken: string;
  /** How it is sent: by itself, or with a proof that the sender has the key that it is bound to. */
  readonly type: "bearer" | "dpop" | "none";
  /** Seconds. */
  readonly expiresIn?: number | undefined;
  readonly refreshToken?: string | undefined;
  /** What was granted, if that is not what was asked for. */
  readonly scope?: string | undefined;
  /** What an exchange has brought (RFC 8693 section 2.2.1). */
  readonly issuedType?: string | undefined;
}

/** Seconds that nobody counts: so many are as good as no end, and times made of them are no numbers in JSON. */
export const EVER = 1e12;

/**
 * Reads the answer to a request for a token. An error may come with status 200, and numbers as strings; members that are
 * optional and make no sense are as good as absent.
 */
export function tokensIn(
  text: string,
  status: number,
  { step, address, secrets }: { readonly step: Step; readonly address: string; readonly secrets: Iterable<string> },
): Tokens {
  const answer = objectIn(text) ?? formIn(text);
  const accessToken = stringIn(answer, "access_token");
  const { code, words } = oauthErrorOf(answer, secrets);
  if (code !== undefined || status >= 400 || accessToken === undefined)
    throw new AuthError(step, address, `expected a token, got status ${status}${words}`, { code });
  if (!/^[\x21-\x7e]+$/.test(accessToken))
    throw new AuthError(step, address, "expected a token that fits into a header, got another");
  const seconds = Number(answer["expires_in"]);
  return {
    accessToken,
    type: typeIn(stringIn(answer, "token_type") ?? "bearer", step, address),
    expiresIn: seconds > 0 && seconds < EVER ? seconds : undefined,
    refreshToken: stringIn(answer, "refresh_token"),
    scope: stringIn(answer, "scope") ?? stringsIn(answer, "scope")?.join(" "),
    issuedType: stringIn(answer, "issued_token_type"),
  };
}

function typeIn(type: string, step: Step, address: string): Tokens["type"] {
  switch (type.toLowerCase()) {
    case "bearer":
      return "bearer";
    case "dpop":
      return "dpop";
    case "n_a":
      return "none";
    default:
      throw new AuthError(step, address, `expected a token of the type "Bearer" or "DPoP", got ${quote(type)}`);
  }
}
