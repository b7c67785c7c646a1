import type { VerifiedRequest } from "./request.ts";

/** What a request shows: a token, nothing of use here, or something that makes no sense. */
export type Credentials =
  | { readonly kind: "token"; readonly scheme: "bearer" | "dpop"; readonly token: string }
  | { readonly kind: "none" }
  | { readonly kind: "malformed"; readonly fault: string };

/** RFC 6750 section 2.1, RFC 9449 section 7.1. Tokens in the query are not taken (OAuth 2.1 section 5.1). */
export function credentialsIn(request: VerifiedRequest): Credentials {
  if (/[?&]access_token=/.test(request.target)) return malformed("A token must not be in the query");
  const header = request.header("authorization");
  const [, scheme = ""] = /^\s*(bearer|dpop)(?:\s|,|$)/i.exec(header ?? "") ?? [];
  if (scheme === "") return { kind: "none" };
  const [, token] = /^\s*\S+ +([\w\-.~+/]+=*)\s*$/.exec(header ?? "") ?? [];
  if (token === undefined) return malformed(`Expected one token after ${scheme}`);
  return { kind: "token", scheme: scheme.toLowerCase() === "dpop" ? "dpop" : "bearer", token };
}

const malformed = (fault: string): Credentials => ({ kind: "malformed", fault });
