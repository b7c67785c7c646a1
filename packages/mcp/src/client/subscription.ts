/// <reference lib="esnext.disposable" preserve="true" />
import { SUBSCRIPTION_ID, metaOf } from "../model/meta.ts";

const LISTS = ["tools", "prompts", "resources"] as const;

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
}

/** A subscription that never was. */
export function refused(error: Error): Subscription {
  const ready = Promise.reject(error);
  ready.catch(() => {});
  return { ready, close: nothing, closed: Promise.resolve(error), [Symbol.asyncDispose]: nothing };
}

const nothing = async (): Promise<void> => {};

/** The change that a notification tells of. */
export function changeIn(method: string, params: unknown): Change | undefined {
  const list = LISTS.find((name) => method === `notifications/${name}/list_changed`);
  if (list) return { list };
  const { uri } = (params ?? {}) as { uri?: unknown };
  return method === "notifications/resources/updated" && typeof uri === "string" ? { resource: uri } : undefined;
}

/** Those lists of an interest that `agreed` lets through, and `uris`. */
export function agreement(
  interest: Interest,
  agreed: (list: (typeof LISTS)[number]) => unknown,
  uris: readonly string[],
): Interest {
  const lists = LISTS.filter((list) => interest[list] && agreed(list)).map((list) => [list, true]);
  return { ...Object.fromEntries(lists), ...(uris.length > 0 && { uris }) };
}

/** An interest as `subscriptions/listen` asks for it. */
export const filterOf = (interest: Interest): object => ({
  ...Object.fromEntries(LISTS.filter((list) => interest[list]).map((list) => [`${list}ListChanged`, true])),
  ...(interest.uris && { resourceSubscriptions: interest.uris }),
});

/** The subscription that a notification belongs to; undefined for one that was sent unasked. */
export const subscriptionOf = (params: unknown): unknown => metaOf(params)?.[SUBSCRIPTION_ID];
