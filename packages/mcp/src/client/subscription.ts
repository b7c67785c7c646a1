/// <reference lib="esnext.disposable" preserve="true" />
import type { Id } from "@x/jsonrpc";
import { SUBSCRIPTION_ID, metaOf } from "../model/meta.ts";

/** What to hear about. */
export interface Interest {
  readonly tools?: boolean;
  readonly prompts?: boolean;
  readonly resources?: boolean;
}

/** Something changed on the server. */
export type Change = { readonly list: "tools" | "prompts" | "resources" };

/** A running subscription; disposing of it ends it. */
export interface Subscription extends AsyncDisposable {
  /** Settles when the server has agreed. Rejects when it can't be had. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

export const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

const LISTS = ["tools", "prompts", "resources"] as const;

/** The list that a notification says has changed. */
export const changedList = (method: string): Change["list"] | undefined =>
  LISTS.find((list) => method === `notifications/${list}/list_changed`);

/** An interest as `subscriptions/listen` asks for it. */
export const filterOf = (interest: Interest): object =>
  Object.fromEntries(LISTS.filter((list) => interest[list]).map((list) => [`${list}ListChanged`, true]));

/** The subscription that a notification belongs to; undefined for one that was sent unasked. */
export const subscriptionOf = (params: unknown): Id | undefined => metaOf(params)?.[SUBSCRIPTION_ID] as Id | undefined;
