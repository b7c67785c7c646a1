import { type JsonObject, stringIn, stringsIn } from "../body.ts";
import { AuthError, type Step, quote } from "../error.ts";
import type { Outside } from "../outside.ts";
import { appended, inserted, pathOf } from "./well-known.ts";

/** What an authorization server says of itself (RFC 8414 section 2, OpenID Connect Discovery section 3). */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly authorizationEndpoint?: string | undefined;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint?: string | undefined;
  readonly revocationEndpoint?: string | undefined;
  readonly introspectionEndpoint?: string | undefined;
  readonly jwksUri?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly codeChallengeMethods?: readonly string[] | undefined;
  readonly tokenAuthMethods?: readonly string[] | undefined;
  readonly dpopAlgorithms?: readonly string[] | undefined;
  /** Whether a client may be known by the address of its metadata document. */
  readonly metadataDocuments: boolean;
  /** Whether authorization responses always have `iss` (RFC 9207 section 3). */
  readonly issInResponse: boolean;
  /** Seconds that its clock is ahead of ours. */
  readonly clockSkew: number;
}

const STEP: Step = "server metadata";

/**
 * Finds the metadata of an issuer in every place where it may be (authorization server discovery, "Authorization Server
 * Metadata Discovery"). A document that names another issuer is used for nothing.
 */
export async function findServer(outside: Outside, issuer: string): Promise<AuthorizationServer> {
  const { server, wrong, asked } = await search(outside, issuer);
  if (server) return server;
  if (wrong)
    throw new AuthError(STEP, wrong.address, `expected the issuer ${quote(issuer)}, got ${quote(wrong.issuer)}`);
  throw new AuthError(STEP, issuer, `expected its metadata at ${asked.join(" or ")}, got none`);
}

/**
 * The authorization server that a server of 2025-03-26 is itself: by its metadata, else with default addresses (2025-03-26
 * authorization, "Fallbacks for Servers without Metadata Discovery").
 */
export async function findOldServer(outside: Outside, { origin }: URL): Promise<AuthorizationServer> {
  const { server, wrong } = await search(outside, origin, { "MCP-Protocol-Version": "2025-03-26" });
  if (server) return server;
  if (wrong)
    throw new AuthError(STEP, wrong.address, `expected the issuer ${quote(origin)}, got ${quote(wrong.issuer)}`);
  return {
    issuer: origin,
    authorizationEndpoint: `${origin}/authorize`,
    tokenEndpoint: `${origin}/token`,
    registrationEndpoint: `${origin}/register`,
    codeChallengeMethods: ["S256"],
    metadataDocuments: false,
    issInResponse: false,
    clockSkew: 0,
  };
}

interface Search {
  readonly server?: AuthorizationServer;
  /** A document that was of somebody else. */
  readonly wrong?: { readonly address: string; readonly issuer: unknown };
  readonly asked: readonly string[];
}

async function search(
  outside: Outside,
  issuer: string,
  headers?: { readonly [name: string]: string },
): Promise<Search> {
  const asked = addressesOf(await outside.trust.check(STEP, issuer));
  let wrong: Search["wrong"];
  for (const address of asked) {
    const { document, date } = await outside.document(STEP, address, headers);
    if (document?.["issuer"] === issuer) return { server: serverIn(document, issuer, address, date), asked };
    if (document) wrong ??= { address, issuer: document["issuer"] };
  }
  return wrong ? { wrong, asked } : { asked };
}

function addressesOf(issuer: URL): readonly string[] {
  const both = [inserted(issuer, "oauth-authorization-server"), inserted(issuer, "openid-configuration")];
  return pathOf(issuer) === "" ? both : [...both, appended(issuer, "openid-configuration")];
}

function serverIn(
  document: JsonObject,
  issuer: string,
  address: string,
  date: string | undefined,
): AuthorizationServer {
  const tokenEndpoint = stringIn(document, "token_endpoint");
  if (tokenEndpoint === undefined) throw new AuthError(STEP, address, 'expected a "token_endpoint", got none');
  return {
    issuer,
    authorizationEndpoint: stringIn(document, "authorization_endpoint"),
    tokenEndpoint,
    registrationEndpoint: stringIn(document, "registration_endpoint"),
    revocationEndpoint: stringIn(document, "revocation_endpoint"),
    introspectionEndpoint: stringIn(document, "introspection_endpoint"),
    jwksUri: stringIn(document, "jwks_uri"),
    scopes: stringsIn(document, "scopes_supported"),
    codeChallengeMethods: stringsIn(document, "code_challenge_methods_supported"),
    tokenAuthMethods: stringsIn(document, "token_endpoint_auth_methods_supported"),
    dpopAlgorithms: stringsIn(document, "dpop_signing_alg_values_supported"),
    metadataDocuments: document["client_id_metadata_document_supported"] === true,
    issInResponse: document["authorization_response_iss_parameter_supported"] === true,
    clockSkew: skewOf(date),
  };
}

/** Seconds within which `Date`, which has no fractions and may have come through a cache, means nothing. */
const PRECISION = 30;

function skewOf(date: string | undefined): number {
  const seconds = Math.round((Date.parse(date ?? "") - Date.now()) / 1000);
  return Math.abs(seconds) > PRECISION ? seconds : 0;
}
