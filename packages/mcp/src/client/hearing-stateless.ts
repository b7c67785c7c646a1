import { type Report, TimeoutError } from "@x/jsonrpc";
import { hearer } from "./hearer.ts";
import type { Requester } from "./requester.ts";
import { SUBSCRIPTION_ID, metaOf } from "../model/meta.ts";
import { agreement } from "./agreement.ts";
import { type Change, type Hearing, type Interest, LISTS, type Subscription } from "./subscription.ts";

const LISTEN = "subscriptions/listen";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const CANCELLED = "notifications/cancelled";

type Filter = { readonly [field: string]: unknown };

interface Listener {
  acknowledged(filter: Filter): void;
  changed(change: Change): void;
  ended(): void;
}

/** Each subscription is a request that stays open (basic/patterns/subscriptions). */
export class StatelessHearing implements Hearing {
  readonly #server: Requester;
  readonly #timeout: number;
  readonly #onError: Report | undefined;
  readonly #listeners = new Map<unknown, Listener>();
  #last = 0;

  /** `timeout` is the ms that a server has to agree. */
  constructor(
    server: Requester,
    { timeout = 60_000, onError }: { readonly timeout?: number | undefined; readonly onError?: Report | undefined },
  ) {
    this.#server = server;
    this.#timeout = timeout;
    this.#onError = onError;
  }

  subscribe(interest: Interest, onChange: (change: Change) => unknown): Subscription {
    const id = `listen-${++this.#last}`;
    const end = new AbortController();
    let agree!: (agreed: Interest) => void;
    let finish!: (error?: Error) => void;
    let left = false;
    const hear = hearer(onChange, this.#onError);
    const agreed = new Promise<Interest>((resolve) => (agree = resolve));
    const over = new Promise<Error | undefined>((resolve) => (finish = resolve));
    this.#listeners.set(id, {
      acknowledged: (filter) => agree(agreedIn(interest, filter)),
      changed: (change) => void hear(change),
      ended: finish,
    });
    // Only the agreement has to come in time: the request itself is answered when the subscription ends.
    this.#server
      .request(LISTEN, { notifications: filterOf(interest) }, { id, timeout: 0, signal: end.signal })
      .then(() => finish(), finish);
    const closed = over.then((error) => {
      this.#listeners.delete(id);
      return left ? undefined : error;
    });
    const none = over.then((error) => {
      if (error !== undefined) throw error;
      return {};
    });
    const ready = inTime(Promise.race([agreed, none]), this.#timeout, (late) => end.abort(late));
    ready.catch(() => {});
    const close = async (): Promise<void> => {
      left = true;
      // What the server has ended is not its to cancel any more.
      if (this.#listeners.has(id)) end.abort(new Error("unsubscribed"));
      await closed;
    };
    return { ready, close, closed, [Symbol.asyncDispose]: close };
  }

  /** Servers end a subscription by its answer, by a notification, or by both. */
  notified(method: string, params: unknown, change: Change | undefined): void {
    if (method === CANCELLED) this.#listeners.get((params as { requestId?: unknown } | undefined)?.requestId)?.ended();
    const listener = this.#listeners.get(subscriptionOf(params));
    if (change) listener?.changed(change);
    else if (method === ACKNOWLEDGED)
      listener?.acknowledged((params as { notifications?: Filter }).notifications ?? {});
  }
}

function agreedIn(interest: Interest, filter: Filter): Interest {
  const { resourceSubscriptions } = filter;
  const uris = Array.isArray(resourceSubscriptions) ? resourceSubscriptions : [];
  return agreement(
    interest,
    (list) => filter[`${list}ListChanged`] === true,
    uris.filter((uri) => typeof uri === "string"),
  );
}

async function inTime<T>(promise: Promise<T>, ms: number, late: (error: TimeoutError) => void): Promise<T> {
  if (!(ms > 0 && ms < Infinity)) return await promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new TimeoutError(LISTEN, ms);
      late(error);
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** An interest as `subscriptions/listen` asks for it. */
const filterOf = (interest: Interest): object => ({
  ...Object.fromEntries(LISTS.filter((list) => interest[list]).map((list) => [`${list}ListChanged`, true])),
  ...(interest.uris && { resourceSubscriptions: interest.uris }),
});

/** The subscription that a notification belongs to; undefined for one that was sent unasked. */
const subscriptionOf = (params: unknown): unknown => metaOf(params)?.[SUBSCRIPTION_ID];
