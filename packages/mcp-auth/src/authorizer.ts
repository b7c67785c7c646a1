import { type Aim, Authorization, type Parts } from "./authorization.ts";
import { Clients } from "./client/clients.ts";
import type { AuthorizationServer } from "./discovery/authorization-server.ts";
import { Issuers } from "./discovery/issuers.ts";
import { type Whereabouts, whereaboutsOf } from "./discovery/whereabouts.ts";
import { AuthError, quote } from "./error.ts";
import { type Login, take } from "./flows/logins.ts";
import { codeIn, redeem } from "./flows/redeem.ts";
import { type Grant, grantOf } from "./grant.ts";
import type { Outside } from "./outside.ts";
import type { Proof, ProofKeys } from "./proof.ts";
import type { Provider } from "./provider.ts";
import { unite } from "./scope.ts";
import type { Store } from "./store.ts";

/** What is to be authorized, before anything is known of who authorizes it. */
export type Wish = Omit<Aim, "server"> & {
  readonly issuer: string;
  /** Whether the server wants tokens that are bound to a key. */
  readonly dpop: boolean;
};

/** Answers to a refresh after which the refresh token is worth nothing. */
const FINAL = new Set(["invalid_grant", "invalid_client", "unauthorized_client", "unsupported_grant_type"]);

/** Gets grants from authorization servers. */
export class Authorizer {
  readonly #provider: Provider;
  readonly #issuers: Issuers;
  readonly #parts: Parts;
  #proof: Proof | undefined;

  constructor(provider: Provider, store: Store, outside: Outside) {
    const { client: description = {} } = provider;
    this.#provider = provider;
    this.#issuers = new Issuers(outside);
    this.#parts = { outside, store, description, clients: new Clients(description, store, outside) };
  }

  /** Whether a person takes part where something is issued. */
  get attended(): boolean {
    return this.#provider.flow.attended;
  }

  /** Whether a grant can be had without asking a person. */
  canRenew({ refreshToken }: Grant): boolean {
    return refreshToken !== undefined || !this.attended;
  }

  /** `metadata` is where the server says that its metadata is. */
  whereabouts(server: URL, metadata: string | undefined): Promise<Whereabouts> {
    return whereaboutsOf(this.#parts.outside, server, metadata, this.#parts.description);
  }

  /** Runs the provider's flow. */
  async issue({ issuer, dpop, ...wish }: Wish, gone: AbortSignal): Promise<Grant> {
    const { flow, scope } = this.#provider;
    const server = await this.#issuers.get(issuer, wish.old);
    const aim: Aim = { ...wish, server, scope: unite(scope, wish.scope) };
    const proof = await this.#newProof(dpop, server);
    const issued = await flow.run(new Authorization(aim, this.#parts, proof, gone));
    if (this.#provider.dpop && issued.type !== "dpop")
      throw new AuthError("token", server.tokenEndpoint, 'expected a token of the type "DPoP", got another');
    return grantOf(aim, issued, proof?.keys);
  }

  /** Undefined where the refresh token is worth nothing any more. */
  async refresh(address: string, grant: Grant): Promise<Grant | undefined> {
    const { issuer, resource, old, scope, refreshToken } = grant;
    const server = await this.#issuers.get(issuer, old);
    const client = await this.#parts.clients.byId(grant.clientId, server);
    if (!client || refreshToken === undefined) return undefined;
    const proof = await this.proofOf(grant);
    const aim: Aim = { address, resource, old, server, scope };
    const authorization = new Authorization(aim, this.#parts, proof, NEVER);
    try {
      const issued = await authorization.request(client, "refresh_token", { refresh_token: refreshToken }, "refresh");
      return grantOf(aim, { ...issued, refreshToken: issued.refreshToken ?? refreshToken }, proof?.keys);
    } catch (error) {
      if (AuthError.is(error) && FINAL.has(error.code ?? "")) return undefined;
      throw error;
    }
  }

  /** Takes the answer to a login that was begun by a redirect. It is used up only when it is the right one. */
  async finish(login: Login, answer: URLSearchParams): Promise<Grant> {
    const { pending, address, resource, old, scope, keys } = login;
    const server = await this.#issuers.get(pending.issuer, old);
    codeIn(answer, pending, server.issInResponse);
    if (!(await take(this.#parts.store, login)))
      throw new AuthError("authorization", pending.page, "expected a login that is not finished, got one that is");
    const proof = keys && (await proofWith(keys, server.clockSkew));
    const aim: Aim = { address, resource, old, server, scope };
    return grantOf(aim, await redeem(new Authorization(aim, this.#parts, proof, NEVER), pending, answer), keys);
  }

  /** Has tokens declared void, where the issuer offers that (RFC 7009). */
  async revoke({ issuer, old, clientId, accessToken, refreshToken }: Grant): Promise<void> {
    const server = await this.#issuers.get(issuer, old);
    const client = await this.#parts.clients.byId(clientId, server);
    if (!client || server.revocationEndpoint === undefined) return;
    const { revoke } = await import("./revocation.ts");
    if (refreshToken !== undefined) await revoke(this.#parts.outside, server, client, refreshToken, "refresh_token");
    await revoke(this.#parts.outside, server, client, accessToken, "access_token");
  }

  /** For the key that a grant is bound to. */
  async proofOf({ keys, issuer, old }: Grant): Promise<Proof | undefined> {
    if (!keys || this.#proof?.keys.publicKey.x === keys.publicKey.x) return keys && this.#proof;
    return (this.#proof = await proofWith(keys, (await this.#issuers.get(issuer, old)).clockSkew));
  }

  async #newProof(wanted: boolean, server: AuthorizationServer): Promise<Proof | undefined> {
    const { dpop = wanted } = this.#provider;
    if (!dpop) return undefined;
    const { dpopAlgorithms: algorithms = ["ES256"], clockSkew, issuer } = server;
    if (algorithms.includes("ES256")) return (this.#proof = await proofWith(undefined, clockSkew));
    const problem = `expected "ES256" in "dpop_signing_alg_values_supported", got ${quote(algorithms)}`;
    throw new AuthError("server metadata", issuer, problem);
  }
}

/** Few servers ask for proofs: what makes them is only loaded then. Without keys it makes new ones. */
async function proofWith(keys: ProofKeys | undefined, skew: number): Promise<Proof> {
  const { Proof: Made } = await import("./proof.ts");
  return await (keys ? Made.from(keys, skew) : Made.generate(skew));
}

/** A refresh goes on though nobody waits for it: what it brings must not be lost. */
const NEVER: AbortSignal = new AbortController().signal;
