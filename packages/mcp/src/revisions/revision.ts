/** How a peer is met: by `initialize` and a connection's state, or by metadata in every request. */
export type LifecycleName = "handshake" | "stateless";

/** What is particular to one revision of the protocol. Everything else in this package knows only the newest shapes. */
export interface Revision {
  /** The date that names it, such as "2025-11-25". */
  readonly version: string;
  readonly lifecycle: LifecycleName;
  /** May messages travel in batches? */
  readonly batches: boolean;
  /** Requests that a client may send; others get -32601. */
  readonly requests: ReadonlySet<string>;
  /** What a server may ask of a client: as requests after a handshake, as input requests without one. */
  readonly asks: ReadonlySet<string>;
  /** How long-running calls become tasks: where the client asks for it, or by the tasks extension. */
  readonly tasks?: "augmented" | "extension" | undefined;
  /** Capabilities of servers that have no key in this revision: a client has to try. */
  readonly undeclared: ReadonlySet<string>;
  /** The code that says that there is no such resource. */
  readonly missingResource: number;
  /** Is the structured content of tools always an object? */
  readonly objectOutput: boolean;
  /** Does a call fail with -32042 where a person has to open an address first? */
  readonly urlRequired: boolean;
  /** Does a question to a person say how it is put, as a form or an address? */
  readonly modes: boolean;
}

/** The members of `set`, and more. */
export const and = (set: ReadonlySet<string>, ...more: string[]): ReadonlySet<string> => new Set([...set, ...more]);
