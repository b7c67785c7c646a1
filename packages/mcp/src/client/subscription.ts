/// <reference lib="esnext.disposable" preserve="true" />

export const LISTS = ["tools", "prompts", "resources"] as const;

/** What to hear about: lists, and resources by their URIs. */
export interface Interest {
  readonly tools?: boolean;
  readonly prompts?: boolean;
  /** The list of resources; what is in them is a matter of `uris`. */
  readonly resources?: boolean;
  readonly uris?: readonly string[];
}

/** Something changed on the server: a list, or what a resource holds. Its URI may be that of a part of the one asked for. */
export type Change = { readonly list: (typeof LISTS)[number] } | { readonly resource: string };

/** A running subscription; disposing of it ends it. */
export interface Subscription extends AsyncDisposable {
  /**
   * What of the interest the server has agreed to. Rejects when nothing can be had: with a CapabilityError where the
   * server lets nobody watch resources, with a TimeoutError, with what ended the connection.
   */
  readonly ready: Promise<Interest>;
  close(): Promise<void>;
  /**
   * Resolves, never rejects, when it has ended: with undefined where it was closed, on either side, with the error where
   * it was refused or lost. After a lost connection hosts subscribe again, on their next client.
   */
  readonly closed: Promise<unknown>;
}

/** How a client hears of changes. Each lifecycle has its own way. */
export interface Hearing {
  subscribe(interest: Interest, onChange: (change: Change) => unknown): Subscription;
  /** Takes a notification that may belong to a subscription. */
  notified(method: string, params: unknown, change: Change | undefined): void;
  /** The server knows nothing of what it was asked, and nobody has heard what changed meanwhile. */
  reopened?(): Promise<void>;
}

/** A subscription that is being made. */
export function eventual(making: Promise<Subscription>): Subscription {
  const ready = making.then((made) => made.ready);
  ready.catch(() => {});
  const close = (): Promise<void> =>
    making.then(
      (made) => made.close(),
      () => {},
    );
  const closed = making.then(
    (made) => made.closed,
    (error: unknown) => error,
  );
  return { ready, close, closed, [Symbol.asyncDispose]: close };
}

/** The change that a notification tells of. */
export function changeIn(method: string, params: unknown): Change | undefined {
  const list = LISTS.find((name) => method === `notifications/${name}/list_changed`);
  if (list) return { list };
  const { uri } = (params ?? {}) as { uri?: unknown };
  return method === "notifications/resources/updated" && typeof uri === "string" ? { resource: uri } : undefined;
}
