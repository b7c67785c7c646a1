import type { AuthorizationServer } from "../discovery/authorization-server.ts";
import { AuthError, quote } from "../error.ts";
import type { Outside } from "../outside.ts";
import type { Store } from "../store.ts";
import { methodFor } from "./authenticate.ts";
import type { Client } from "./client.ts";
import { type ClientDescription, type RegisteredClient, registeredOf } from "./description.ts";
import type { Registration } from "./registration.ts";

/** The client as each issuer knows it. What one issuer has given is never shown to another. */
export class Clients {
  readonly #description: ClientDescription;
  readonly #store: Store;
  readonly #outside: Outside;

  constructor(description: ClientDescription, store: Store, outside: Outside) {
    this.#description = description;
    this.#store = store;
    this.#outside = outside;
  }

  /**
   * The client at an issuer: registered beforehand, else by its metadata document, else registered by itself (client
   * registration, the priority order). `redirectUris` are what it must be registered for; without them it is not
   * registered anew.
   */
  async get(server: AuthorizationServer, redirectUris?: readonly string[]): Promise<Client> {
    const { registered, metadataUrl, key, register: may = registered === undefined } = this.#description;
    const { issuer } = server;
    const own = registeredOf(this.#description).find((each) => each.issuer === issuer);
    if (own) return clientOf(own, server);
    // A single client is for its issuer alone; nothing else is tried in its place.
    if (registered !== undefined && !Array.isArray(registered)) throw this.#stranger(issuer);
    if (metadataUrl !== undefined && server.metadataDocuments)
      return { id: metadataUrl, key, method: key ? "private_key_jwt" : "none" };
    const kept = await this.#kept(issuer);
    const fitting = kept.find((each) => (redirectUris ?? []).every((uri) => each.redirectUris.includes(uri)));
    if (fitting) return fitting;
    if (redirectUris && may && server.registrationEndpoint !== undefined)
      return await this.#register(server, redirectUris);
    throw this.#stranger(issuer);
  }

  /** A client by its id, which had tokens from this issuer. */
  async byId(id: string, server: AuthorizationServer): Promise<Client | undefined> {
    const { metadataUrl, key } = this.#description;
    const own = registeredOf(this.#description).find((each) => each.issuer === server.issuer && each.id === id);
    if (own) return clientOf(own, server);
    if (id === metadataUrl) return { id, key, method: key ? "private_key_jwt" : "none" };
    return (await this.#kept(server.issuer)).find((each) => each.id === id);
  }

  async knownRedirects(issuer: string): Promise<readonly string[]> {
    return (await this.#kept(issuer)).flatMap(({ redirectUris }) => redirectUris);
  }

  /** The issuer doesn't know a client any more that had registered itself. */
  async forget(issuer: string, id: string): Promise<void> {
    await this.#change(issuer, (kept) => kept.filter((each) => each.id !== id));
  }

  /** The last comes first. Tokens and logins of those before need them still. */
  async #kept(issuer: string): Promise<readonly Registration[]> {
    const kept = await this.#store.get(keyOf(issuer));
    return Array.isArray(kept) ? (kept as readonly unknown[]).filter(isGood) : [];
  }

  async #change(issuer: string, change: (kept: readonly Registration[]) => readonly Registration[]): Promise<void> {
    const key = keyOf(issuer);
    await this.#store.lock(key, async () => {
      const all = change(await this.#kept(issuer));
      await this.#store.set(key, all.length === 0 ? undefined : all);
    });
  }

  async #register(server: AuthorizationServer, redirectUris: readonly string[]): Promise<Registration> {
    // Once for each issuer, and for many clients never.
    const { register } = await import("./registration.ts");
    const registration = await register(this.#outside, server, this.#description, redirectUris);
    await this.#change(server.issuer, (kept) => [registration, ...kept].slice(0, MAX));
    return registration;
  }

  #stranger(issuer: string): AuthError {
    const known = registeredOf(this.#description).map((each) => quote(each.issuer));
    const problem =
      known.length > 0
        ? `expected one of the issuers that know the client, ${known.join(", ")}, got ${quote(issuer)}`
        : `expected a way to become known to ${quote(issuer)}, got none; give it a client as "client.registered"`;
    return new AuthError("registration", issuer, problem);
  }
}

/** Registrations with one issuer, so that they don't pile up where the port is another each time. */
const MAX = 20;

/** A store may have kept it since another version, or for too long. */
function isGood(value: unknown): value is Registration {
  const { id, redirectUris, expiresAt = Infinity } = (value ?? {}) as Partial<Registration>;
  return typeof id === "string" && Array.isArray(redirectUris) && expiresAt > Date.now();
}

const keyOf = (issuer: string): string => `client ${issuer}`;

function clientOf({ id, secret, key, method }: RegisteredClient, server: AuthorizationServer): Client {
  return { id, secret, key, method: method ?? methodFor({ secret, key }, server) };
}
