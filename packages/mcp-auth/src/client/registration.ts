import { objectIn, stringIn, stringsIn } from "../body.ts";
import type { AuthorizationServer } from "../discovery/authorization-server.ts";
import { AuthError, type Step } from "../error.ts";
import { oauthErrorIn } from "../oauth-error.ts";
import type { Outside } from "../outside.ts";
import { placeOf } from "../address.ts";
import { EVER } from "../tokens.ts";
import { methodFor } from "./authenticate.ts";
import type { AuthMethod, ClientDescription } from "./description.ts";

/** A client that has registered itself: what a store keeps for an issuer. */
export interface Registration {
  readonly id: string;
  readonly secret?: string | undefined;
  readonly method: AuthMethod;
  readonly redirectUris: readonly string[];
  /** ms since 1970. */
  readonly expiresAt?: number | undefined;
}

const STEP: Step = "registration";

/** Registers the client (RFC 7591 section 3). */
export async function register(
  outside: Outside,
  server: AuthorizationServer,
  description: ClientDescription,
  redirectUris: readonly string[],
): Promise<Registration> {
  const address = server.registrationEndpoint;
  if (address === undefined) throw new AuthError(STEP, server.issuer, 'expected a "registration_endpoint", got none');
  const method = wishedMethod(server);
  const response = await outside.send(STEP, address, {
    method: "POST",
    headers: { Accept: "application/json", "Content-Type": "application/json" },
    body: JSON.stringify({
      client_name: description.name ?? "MCP client",
      redirect_uris: redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: method,
      application_type: applicationType(redirectUris),
      ...description.metadata,
    }),
  });
  const text = await outside.read(STEP, address, response);
  const answer = objectIn(text) ?? {};
  const id = stringIn(answer, "client_id");
  if (!response.ok || id === undefined) throw refused(address, response.status, text, redirectUris);
  const secret = stringIn(answer, "client_secret");
  const expires = Number(answer["client_secret_expires_at"]);
  return {
    id,
    secret,
    method: givenMethod(answer["token_endpoint_auth_method"], secret, method, server),
    redirectUris: stringsIn(answer, "redirect_uris") ?? redirectUris,
    expiresAt: secret !== undefined && expires > 0 && expires < EVER ? expires * 1000 : undefined,
  };
}

/** A client on somebody's own machine can keep no secret: where the server takes clients without one, it has none. */
function wishedMethod({ tokenAuthMethods = ["client_secret_basic"] }: AuthorizationServer): AuthMethod {
  return METHODS.find((method) => tokenAuthMethods.includes(method)) ?? "none";
}

/** Those for which nothing but the registration is needed, the best first. */
const METHODS: readonly AuthMethod[] = ["none", "client_secret_basic", "client_secret_post"];

function givenMethod(
  given: unknown,
  secret: string | undefined,
  wished: AuthMethod,
  server: AuthorizationServer,
): AuthMethod {
  const method = METHODS.find((each) => each === given);
  if (method === undefined) return secret === undefined || wished === "none" ? "none" : methodFor({ secret }, server);
  return secret === undefined ? "none" : method;
}

/** Client registration, "Application Type and Redirect URI Constraints". */
function applicationType(redirectUris: readonly string[]): "native" | "web" {
  const remote = redirectUris.some((uri) => {
    const { protocol, hostname } = new URL(uri);
    return (protocol === "https:" || protocol === "http:") && placeOf(hostname) !== "loopback";
  });
  return remote ? "web" : "native";
}

function refused(address: string, status: number, text: string, redirectUris: readonly string[]): AuthError {
  const { code, words } = oauthErrorIn(text, []);
  const problem = `expected a client id, got status ${status}${words}; asked for the redirect to ${redirectUris.join(", ")}`;
  return new AuthError(STEP, address, problem, { code });
}
