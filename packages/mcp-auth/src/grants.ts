import { covers } from "./discovery/resource.ts";
import type { Grant } from "./grant.ts";
import type { Store } from "./store.ts";

/** The grants for the resources at one origin, in a store. */
export class Grants {
  readonly #store: Store;
  readonly #key: string;
  readonly #origin: string;

  constructor(store: Store, origin: string) {
    this.#store = store;
    this.#origin = origin;
    this.#key = `grants ${origin}`;
  }

  /** Nobody else changes the grants while `work` runs. */
  lock<T>(work: () => Promise<T>): Promise<T> {
    return this.#store.lock(this.#key, work);
  }

  /** The grant whose resource is nearest to a server. */
  async find(server: URL): Promise<Grant | undefined> {
    const fitting = (await this.#all()).filter(({ resource, old }) =>
      old ? server.origin === this.#origin : covers(resource, server),
    );
    return fitting.sort((a, b) => b.resource.length - a.resource.length)[0];
  }

  /** Takes the place of what there was for the same resource, and of the one that was used before. */
  async save(grant: Grant, before?: Grant): Promise<void> {
    const others = (await this.#all()).filter(
      ({ resource, accessToken }) => resource !== grant.resource && accessToken !== before?.accessToken,
    );
    await this.#store.set(this.#key, [...others, grant]);
  }

  /** Deletes a grant unless something newer has taken its place. */
  async delete(grant: Grant): Promise<void> {
    const all = await this.#all();
    const others = all.filter(({ accessToken }) => accessToken !== grant.accessToken);
    if (others.length < all.length) await this.#store.set(this.#key, others.length === 0 ? undefined : others);
  }

  async #all(): Promise<readonly Grant[]> {
    const stored = await this.#store.get(this.#key);
    return Array.isArray(stored) ? (stored as readonly Grant[]).filter(isGrant) : [];
  }
}

/** A store may have kept it since another version. */
function isGrant(value: unknown): value is Grant {
  const { issuer, resource, clientId, accessToken } = (value ?? {}) as { readonly [member: string]: unknown };
  return [issuer, resource, clientId, accessToken].every((member) => typeof member === "string");
}
