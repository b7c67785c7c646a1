import { revocationRequest } from "oauth4webapi";
import { authenticate } from "./client/authenticate.ts";
import type { Client } from "./client/client.ts";
import type { AuthorizationServer } from "./discovery/authorization-server.ts";
import { AuthError, type Step } from "./error.ts";
import { formOptions } from "./form.ts";
import { oauthErrorIn } from "./oauth-error.ts";
import type { Outside } from "./outside.ts";

const STEP: Step = "revocation";

/** Has one token declared void (RFC 7009 section 2.1). */
export async function revoke(
  outside: Outside,
  { issuer, revocationEndpoint: address = issuer }: AuthorizationServer,
  client: Client,
  token: string,
  kind: "access_token" | "refresh_token",
): Promise<void> {
  await outside.trust.check(STEP, address);
  const server = { issuer, revocation_endpoint: address };
  const secrets = new Set([client.secret ?? ""]);
  const response = await revocationRequest(server, { client_id: client.id }, authenticate(client), token, {
    ...formOptions(STEP, outside, secrets),
    additionalParameters: { token_type_hint: kind },
  });
  const text = await outside.read(STEP, address, response);
  if (response.ok) return;
  const { code, words } = oauthErrorIn(text, secrets);
  throw new AuthError(STEP, address, `expected status 200, got ${response.status}${words}`, { code });
}
