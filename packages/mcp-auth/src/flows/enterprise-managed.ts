import type { Authorization } from "../authorization.ts";
import { methodFor } from "../client/authenticate.ts";
import type { AuthMethod, SigningKey } from "../client/description.ts";
import { type AuthorizationServer, findServer } from "../discovery/authorization-server.ts";
import { AuthError, type Step, quote } from "../error.ts";
import type { Flow } from "../flow.ts";
import type { Outside } from "../outside.ts";
import { requestTokens } from "../token-request.ts";
import { JWT_BEARER } from "./workload-identity.ts";

/** The extension that says of a client that an enterprise decides for it; for the client's capabilities. */
export const ENTERPRISE_MANAGED = "io.modelcontextprotocol/enterprise-managed-authorization";

/** Where an enterprise's people log in. */
export interface IdentityProvider {
  readonly issuer: string;
  /** Default: what the issuer's metadata says. */
  readonly tokenEndpoint?: string | undefined;
  /** The client as the identity provider knows it. */
  readonly client: {
    readonly id: string;
    readonly secret?: string | undefined;
    readonly key?: SigningKey | undefined;
    readonly method?: AuthMethod | undefined;
  };
}

/** Proof that a person has logged in at the identity provider. */
export interface IdentityAssertion {
  readonly token: string;
  /** Default: an ID token. */
  readonly type?: "id_token" | "saml2" | undefined;
}

const STEP: Step = "identity provider";
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

/**
 * A person has logged in to the program at an enterprise's identity provider, which decides what the program may access
 * for them (extension Enterprise-Managed Authorization). `assertion` gives the proof of that login, each time.
 */
export function enterpriseManaged(
  provider: IdentityProvider,
  assertion: () => IdentityAssertion | Promise<IdentityAssertion>,
): Flow {
  return {
    attended: false,
    async run(authorization) {
      const client = await authorization.client();
      const jag = await exchange(authorization, provider, await assertion());
      const { scope } = authorization.aim;
      return await authorization.request(client, JWT_BEARER, { assertion: jag, scope });
    },
  };
}

/** Swaps the proof of a login for a grant that the authorization server takes (section 4 of the extension). */
async function exchange(
  { aim, outside }: Authorization,
  provider: IdentityProvider,
  { token, type = "id_token" }: IdentityAssertion,
): Promise<string> {
  // It was configured and not named by a server, so it may be wherever it is.
  const near = outside.nearTo(new URL(provider.issuer));
  const server = await serverOf(provider, near);
  const { id, secret, key, method = methodFor({ secret, key }, server) } = provider.client;
  const { accessToken, issuedType = ID_JAG } = await requestTokens(near, {
    step: STEP,
    server,
    client: { id, secret, key, method },
    grantType: "urn:ietf:params:oauth:grant-type:token-exchange",
    parameters: {
      requested_token_type: ID_JAG,
      audience: aim.server.issuer,
      resource: aim.resource,
      scope: aim.scope,
      subject_token: token,
      subject_token_type: `urn:ietf:params:oauth:token-type:${type}`,
    },
  });
  if (issuedType === ID_JAG) return accessToken;
  throw new AuthError(STEP, server.tokenEndpoint, `expected a token of the type "${ID_JAG}", got ${quote(issuedType)}`);
}

async function serverOf(
  { issuer, tokenEndpoint }: IdentityProvider,
  outside: Outside,
): Promise<Pick<AuthorizationServer, "issuer" | "tokenEndpoint" | "tokenAuthMethods" | "clockSkew">> {
  return tokenEndpoint === undefined ? await findServer(outside, issuer) : { issuer, tokenEndpoint, clockSkew: 0 };
}
