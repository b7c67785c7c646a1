import type { Client } from "./client/client.ts";
import type { ClientDescription } from "./client/description.ts";
import type { AuthorizationServer } from "./discovery/authorization-server.ts";
import type { Clients } from "./client/clients.ts";
import { AuthError, type Step, quote } from "./error.ts";
import type { Outside } from "./outside.ts";
import type { Proof } from "./proof.ts";
import type { Store } from "./store.ts";
import { requestTokens } from "./token-request.ts";
import type { Tokens } from "./tokens.ts";

/** What is to be authorized: which resource, by whom, for what. */
export interface Aim {
  /** The address of the server. */
  readonly address: string;
  /** What to call it toward the authorization server (RFC 8707): exactly as it is published. */
  readonly resource: string;
  /** True where it has no metadata, as before 2025-06-18. */
  readonly old: boolean;
  readonly server: AuthorizationServer;
  readonly scope: string | undefined;
}

/** Tokens, and the client to which they were issued. */
export interface Issued extends Tokens {
  readonly clientId: string;
}

/** What all authorizations for one provider share. */
export interface Parts {
  readonly outside: Outside;
  readonly store: Store;
  readonly clients: Clients;
  readonly description: ClientDescription;
}

/** One attempt to come by an access token: what a flow works with. */
export class Authorization {
  readonly aim: Aim;
  readonly outside: Outside;
  readonly store: Store;
  /** Set where the tokens are to be bound to a key. */
  readonly proof: Proof | undefined;
  /** Aborted when nobody waits for the tokens any more. */
  readonly signal: AbortSignal;
  readonly #clients: Clients;
  readonly #description: ClientDescription;

  constructor(aim: Aim, parts: Parts, proof: Proof | undefined, signal: AbortSignal) {
    this.aim = aim;
    this.outside = parts.outside;
    this.store = parts.store;
    this.proof = proof;
    this.signal = signal;
    this.#clients = parts.clients;
    this.#description = parts.description;
  }

  /** What people know the client by. */
  get clientName(): string {
    return this.#description.name ?? "the program";
  }

  /** The client as this issuer knows it. With `redirectUris` it registers itself where it may and must. */
  client(redirectUris?: readonly string[]): Promise<Client> {
    return this.#clients.get(this.aim.server, redirectUris);
  }

  /** The client that had a code or tokens from this issuer, by its id. */
  async clientById(id: string): Promise<Client> {
    const { server } = this.aim;
    const client = await this.#clients.byId(id, server);
    if (client) return client;
    throw new AuthError("registration", server.issuer, `expected the client ${quote(id)} to be known still, got none`);
  }

  /** Where the client may be sent back to, if this issuer knows it already. */
  knownRedirects(): Promise<readonly string[]> {
    return this.#clients.knownRedirects(this.aim.server.issuer);
  }

  /** Asks the issuer for tokens. */
  async request(
    client: Client,
    grantType: string,
    parameters: { readonly [name: string]: string | undefined },
    step: Step = "token",
  ): Promise<Issued> {
    const { server, resource } = this.aim;
    const proof = this.proof?.handle;
    const request = { step, server, client, grantType, parameters: { ...parameters, resource }, proof };
    try {
      return { ...(await requestTokens(this.outside, request)), clientId: client.id };
    } catch (error) {
      // A client that registered itself and isn't known any more has to register again.
      if (AuthError.is(error) && error.code === "invalid_client") await this.#clients.forget(server.issuer, client.id);
      throw error;
    }
  }
}
