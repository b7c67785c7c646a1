import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from "oauth4webapi";
import type { Authorization } from "../authorization.ts";
import { AuthError, quote } from "../error.ts";
import { unite } from "../scope.ts";

/** An authorization request whose answer is awaited: JSON, and secret. */
export interface Pending {
  /** Tells the answer to this request from any other. */
  readonly state: string;
  readonly verifier: string;
  /** Who must have sent the answer (authorization, "Authorization Response Validation"). */
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** The address to which a person is sent. */
  readonly page: string;
}

/** Prepares an authorization request (OAuth 2.1 section 4.1.1). */
export async function prepare(authorization: Authorization, redirectUri: string): Promise<Pending> {
  const { server, scope, resource } = authorization.aim;
  const { issuer, authorizationEndpoint, codeChallengeMethods: methods } = server;
  if (authorizationEndpoint === undefined)
    throw new AuthError("server metadata", issuer, 'expected an "authorization_endpoint", got none');
  if (!methods?.includes("S256")) {
    const problem = `expected "S256" in "code_challenge_methods_supported", got ${quote(methods)}; without it codes are not safe`;
    throw new AuthError("server metadata", issuer, problem);
  }
  const page = await authorization.outside.trust.check("authorization", authorizationEndpoint);
  const client = await authorization.client([redirectUri]);
  const verifier = generateRandomCodeVerifier();
  const state = generateRandomState();
  const wanted = withRefresh(scope, server.scopes);
  const parameters: { readonly [name: string]: string | undefined } = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    resource,
    scope: wanted,
    // Without it, OpenID providers give no refresh token (OpenID Connect Core section 11).
    prompt: wanted === scope ? undefined : "consent",
    dpop_jkt: await authorization.proof?.handle.calculateThumbprint(),
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) page.searchParams.set(name, value);
  return { state, verifier, issuer, clientId: client.id, redirectUri, page: page.href };
}

/** Refresh tokens are asked for where the server knows them by a scope (authorization, "Refresh Tokens"). */
function withRefresh(scope: string | undefined, supported: readonly string[] | undefined): string | undefined {
  return scope !== undefined && supported?.includes("offline_access") ? unite(scope, "offline_access") : scope;
}
