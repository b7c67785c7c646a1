import { introspectionRequest } from "oauth4webapi";
import { objectIn } from "../body.ts";
import { authenticate, methodFor } from "../client/authenticate.ts";
import type { Client } from "../client/client.ts";
import type { AuthMethod, SigningKey } from "../client/description.ts";
import { AuthError } from "../error.ts";
import { formOptions } from "../form.ts";
import { oauthErrorIn } from "../oauth-error.ts";
import { Issuer } from "./issuer.ts";
import { type VerifierOptions, audiencesOf, resourceOf } from "./options.ts";
import { type Protection, protect } from "./protect.ts";
import { type Token, type TokenFault, tokenOf } from "./token.ts";

export interface IntrospectionOptions extends VerifierOptions {
  /** Who the server is to its issuer. */
  readonly client: {
    readonly id: string;
    readonly secret?: string | undefined;
    readonly key?: SigningKey | undefined;
    readonly method?: AuthMethod | undefined;
  };
  /** Where tokens are asked about (default: where the issuer's metadata says). */
  readonly endpoint?: string | undefined;
}

/**
 * Protects a server with tokens that only their issuer can read: it is asked about each (RFC 7662), so that one that was
 * revoked is refused at once. Requests with the same token at the same time are one question.
 */
export function verifyIntrospection(options: IntrospectionOptions): Protection {
  const introspection = new Introspection(options);
  return protect({ ...options, resource: resourceOf(options), check: (token) => introspection.check(token) });
}

class Introspection {
  readonly #options: IntrospectionOptions;
  readonly #issuer: Issuer;
  readonly #inFlight = new Map<string, Promise<Token | TokenFault>>();

  constructor(options: IntrospectionOptions) {
    this.#options = options;
    this.#issuer = new Issuer(options.issuer, "endpoint", options.fetch);
  }

  check(token: string): Promise<Token | TokenFault> {
    let flight = this.#inFlight.get(token);
    if (!flight) {
      flight = this.#ask(token).finally(() => this.#inFlight.delete(token));
      this.#inFlight.set(token, flight);
    }
    return flight;
  }

  async #ask(token: string): Promise<Token | TokenFault> {
    const claims = await this.#claimsOf(token);
    if (claims["active"] !== true) return { fault: "The token is not active" };
    if (claims["iss"] !== undefined && claims["iss"] !== this.#options.issuer)
      return { fault: 'The token has a wrong "iss"' };
    const audiences = [claims["aud"] ?? []].flat();
    if (audiences.length === 0) return { fault: 'The token has no "aud"' };
    if (!audiencesOf(this.#options).some((each) => audiences.includes(each)))
      return { fault: 'The token has a wrong "aud"' };
    return tokenOf(claims);
  }

  async #claimsOf(token: string): Promise<{ readonly [claim: string]: unknown }> {
    const { issuer, endpoint, client } = this.#options;
    // An address that was configured may be wherever it is.
    const outside = endpoint === undefined ? this.#issuer.outside : this.#issuer.outside.nearTo(new URL(endpoint));
    const metadata = endpoint === undefined ? await this.#issuer.metadata() : undefined;
    const address = endpoint ?? metadata?.introspectionEndpoint;
    if (address === undefined)
      throw new AuthError("server metadata", issuer, 'expected an "introspection_endpoint", got none; pass endpoint');
    const { id, secret, key, method = methodFor({ secret, key }, metadata ?? {}) } = client;
    const asker: Client = { id, secret, key, method };
    await outside.trust.check("introspection", address);
    const server = { issuer, introspection_endpoint: address };
    const secrets = new Set([secret ?? ""]);
    const response = await introspectionRequest(server, { client_id: id }, authenticate(asker), token, {
      ...formOptions("introspection", outside, secrets),
      additionalParameters: { token_type_hint: "access_token" },
    });
    const text = await outside.read("introspection", address, response);
    const claims = objectIn(text);
    if (response.ok && claims) return claims;
    const { code, words } = oauthErrorIn(text, secrets);
    throw new AuthError(
      "introspection",
      address,
      `expected what the token says, got status ${response.status}${words}`,
      { code },
    );
  }
}
