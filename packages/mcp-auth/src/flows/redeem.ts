import type { Authorization, Issued } from "../authorization.ts";
import { AuthError, quote } from "../error.ts";
import type { Pending } from "./pending.ts";

/** Swaps the code in an answer to an authorization request for tokens (OAuth 2.1 section 4.1.3). */
export async function redeem(authorization: Authorization, pending: Pending, answer: URLSearchParams): Promise<Issued> {
  const code = codeIn(answer, pending, authorization.aim.server.issInResponse);
  // Another login may have registered the client anew meanwhile.
  const client = await authorization.clientById(pending.clientId);
  return await authorization.request(client, "authorization_code", {
    code,
    code_verifier: pending.verifier,
    redirect_uri: pending.redirectUri,
  });
}

/**
 * The code in an answer, if the answer comes from the issuer that was asked (RFC 9207 section 2.4) and belongs to the
 * request. What an answer from elsewhere says is neither used nor told. `always` says that the issuer always names itself.
 */
export function codeIn(answer: URLSearchParams, { issuer, state, page }: Pending, always: boolean): string {
  const fail = (problem: string, code?: string): never => {
    throw new AuthError("authorization", page, problem, { code });
  };
  const issuers = answer.getAll("iss");
  // As plain strings: nothing is normalised.
  if (issuers.length === 0 ? always : issuers.some((iss) => iss !== issuer))
    return fail(
      `expected an answer from the issuer ${quote(issuer)}, got one from ${quote(issuers.find((iss) => iss !== issuer))}`,
    );
  if (answer.getAll("state").some((each) => each !== state) || !answer.has("state"))
    return fail("expected an answer to this request, got one to another");
  const error = answer.get("error");
  const description = answer.get("error_description");
  if (error !== null)
    return fail(
      `expected a code, got ${[error, description]
        .filter((part) => part !== null)
        .map(quote)
        .join(", ")}`,
      error,
    );
  const [code, ...others] = answer.getAll("code");
  return code === undefined || code === "" || others.length > 0 ? fail("expected a code, got none") : code;
}
