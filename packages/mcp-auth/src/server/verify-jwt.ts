import {
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  jwtVerify,
} from "jose";
import { AuthError, quote } from "../error.ts";
import type { Fetch } from "../fetch.ts";
import type { Jwk } from "../key.ts";
import { Issuer, REST } from "./issuer.ts";
import { type VerifierOptions, audiencesOf, resourceOf } from "./options.ts";
import { type Protection, TOLERANCE, protect } from "./protect.ts";
import { Recent } from "./recent.ts";
import { type Token, type TokenFault, tokenOf } from "./token.ts";

export interface JwtOptions extends VerifierOptions {
  /** The issuer's keys, or where they are (default: where its metadata says). */
  readonly jwks?: string | URL | { readonly keys: readonly Jwk[] } | undefined;
  /** Default: every algorithm with public keys that `jose` knows. */
  readonly algorithms?: readonly string[] | undefined;
}

/** Those whose keys can be published. With a shared secret, whoever can check tokens can make them. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/**
 * Protects a server with JSON Web Tokens of one issuer, checked by its public keys (RFC 9068). A token that was good stays
 * so for 5 minutes, or until its end.
 */
export function verifyJwt(options: JwtOptions): Protection {
  const { issuer, algorithms = ALGORITHMS } = options;
  const keys = keysOf(options);
  const rules = {
    issuer,
    audience: audiencesOf(options),
    algorithms: [...algorithms],
    clockTolerance: TOLERANCE / 1000,
    requiredClaims: ["exp"],
  };
  const recent = new Recent<Token>();
  const check = async (token: string): Promise<Token | TokenFault> => {
    const known = recent.get(token);
    if (known) return known;
    try {
      const good = tokenOf((await jwtVerify(token, keys, rules)).payload);
      recent.set(token, good);
      return good;
    } catch (error) {
      return { fault: faultOf(error) };
    }
  };
  return protect({ ...options, resource: resourceOf(options), check });
}

/** What is wrong with the token. Throws again what is not its fault, such as keys that can't be had. */
function faultOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "The token has expired";
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.reason === "missing"
      ? `The token has no ${quote(error.claim)}`
      : `The token has a wrong ${quote(error.claim)}`;
  if (error instanceof errors.JWSSignatureVerificationFailed) return "The token's signature is wrong";
  if (error instanceof errors.JWKSNoMatchingKey) return "The issuer has no key that fits the token";
  if (error instanceof errors.JWKSMultipleMatchingKeys) return "The token doesn't say by which key it is signed";
  if (error instanceof errors.JOSEAlgNotAllowed) return "The token's algorithm is not allowed";
  if (
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JOSENotSupported
  )
    return "The token is not a JWT that can be checked";
  throw error;
}

function keysOf({ issuer, jwks, fetch = globalThis.fetch }: JwtOptions): JWTVerifyGetKey {
  if (jwks !== undefined && typeof jwks !== "string" && !(jwks instanceof URL))
    return createLocalJWKSet(jwks as unknown as JSONWebKeySet);
  if (jwks !== undefined) return remote(new URL(jwks), fetch);
  const source = new Issuer(issuer, "jwks", fetch);
  let found: JWTVerifyGetKey | undefined;
  return async (header, token) => {
    const address = addressIn(await source.metadata());
    // Keys that come without TLS, or from who knows where, are anybody's.
    const url = await source.outside.trust.check("server metadata", address);
    // Only after the wait, so that requests at once share one set.
    found ??= remote(url, fetch);
    return await found(header, token);
  };
}

/** Keys that were had are kept for a while; an issuer that gives none has its rest. */
function remote(address: URL, fetch: Fetch): JWTVerifyGetKey {
  let asked = -Infinity;
  return createRemoteJWKSet(address, {
    [customFetch]: async (url: string, init: RequestInit) => {
      if (performance.now() - asked < REST)
        throw new AuthError("server metadata", url, "expected keys, got none a moment ago");
      asked = performance.now();
      return await fetch(url, init);
    },
  });
}

function addressIn({ issuer, jwksUri }: { readonly issuer: string; readonly jwksUri?: string | undefined }): string {
  if (jwksUri !== undefined) return jwksUri;
  throw new AuthError("server metadata", issuer, 'expected a "jwks_uri", got none; pass jwks');
}
