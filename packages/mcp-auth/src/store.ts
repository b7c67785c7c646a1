/** A JSON value that a store keeps: tokens, secrets and keys are in it. */
export type Stored = { readonly [member: string]: unknown } | readonly unknown[];

/**
 * Keeps what authorization has brought, for one person or one program. Keys name an issuer or the origin of a server; no
 * value is ever used for another. Called at any time, by any number of requests at once.
 */
export interface Store {
  get(key: string): Stored | undefined | Promise<Stored | undefined>;
  /** Undefined deletes. */
  set(key: string, value: Stored | undefined): void | Promise<void>;
  /** Runs `work` while no other work for the same key runs, by whoever shares the store; gives or throws what it does. */
  lock<T>(key: string, work: () => Promise<T>): Promise<T>;
}
