import { ClosedError, type Report, RpcError } from "@x/jsonrpc";
import { hearer } from "./hearer.ts";
import type { Requester } from "./requester.ts";
import { agreement } from "./agreement.ts";
import { type Change, type Hearing, type Interest, LISTS, type Subscription } from "./subscription.ts";

/** A resource that subscriptions of this client watch. */
interface Watched {
  count: number;
  /** Settles with the last request about it: one is sent when the other is answered. */
  settled: Promise<unknown>;
}

/** Lists announce themselves; resources are asked for one by one, each once however many subscriptions watch it. */
export class HandshakeHearing implements Hearing {
  readonly #server: Requester;
  readonly #onError: Report | undefined;
  /** Each with what ends it. */
  readonly #hearers = new Map<(change: Change) => void, (error?: unknown) => void>();
  readonly #watched = new Map<string, Watched>();
  #over: ClosedError | undefined;

  /** `ended` resolves with the connection's end. */
  constructor(server: Requester, ended: Promise<unknown>, onError: Report | undefined) {
    this.#server = server;
    this.#onError = onError;
    void ended.then((cause) => {
      this.#over = new ClosedError("The connection has ended", { cause, sent: true });
      for (const end of this.#hearers.values()) end(this.#over);
    });
  }

  subscribe(interest: Interest, onChange: (change: Change) => unknown): Subscription {
    const uris = [...new Set(interest.uris)];
    const heard = hearer(onChange, this.#onError);
    const hear = (change: Change): void => {
      const wanted = "list" in change ? interest[change.list] : uris.some((uri) => isIn(uri, change.resource));
      if (wanted) void heard(change);
    };
    const closed = new Promise<unknown>((resolve) => {
      this.#hearers.set(hear, resolve);
      if (this.#over) resolve(this.#over);
    });
    const ready = this.#agree(interest, uris);
    ready.catch(() => {});
    let left: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      this.#hearers.get(hear)?.();
      this.#hearers.delete(hear);
      await (left ??= Promise.all(uris.map((uri) => this.#leave(uri))).then(() => {}));
    };
    return { ready, close, closed, [Symbol.asyncDispose]: close };
  }

  notified(_method: string, _params: unknown, change: Change | undefined): void {
    if (change) this.#tell(change);
  }

  async reopened(): Promise<void> {
    for (const list of LISTS) this.#tell({ list });
    await Promise.all(
      [...this.#watched].map(async ([uri, watched]) => {
        if (watched.count === 0) return;
        await this.#ask(uri, watched);
        this.#tell({ resource: uri });
      }),
    );
  }

  #tell(change: Change): void {
    for (const hear of this.#hearers.keys()) hear(change);
  }

  /** Has a resource watched, once what was asked about it before is settled. */
  #ask(uri: string, watched: Watched): Promise<unknown> {
    const subscribe = (): Promise<unknown> => this.#server.request("resources/subscribe", { uri });
    return (watched.settled = watched.settled.then(subscribe, subscribe));
  }

  async #agree(interest: Interest, uris: readonly string[]): Promise<Interest> {
    const { capabilities } = this.#server;
    const agreed = await Promise.all(uris.map((uri) => this.#enter(uri)));
    const watched = uris.filter((_, index) => agreed[index]);
    return agreement(interest, (list) => capabilities[list]?.listChanged, watched);
  }

  /** Whether the server has agreed. */
  async #enter(uri: string): Promise<boolean> {
    const watched = this.#watched.get(uri) ?? { count: 0, settled: Promise.resolve() };
    this.#watched.set(uri, watched);
    if (watched.count++ === 0) void this.#ask(uri, watched);
    try {
      await watched.settled;
      return true;
    } catch (error) {
      if (RpcError.is(error)) return false;
      throw error;
    }
  }

  async #leave(uri: string): Promise<void> {
    const watched = this.#watched.get(uri);
    if (!watched || --watched.count > 0) return;
    const unsubscribe = (): Promise<unknown> => this.#server.request("resources/unsubscribe", { uri });
    watched.settled = watched.settled.then(unsubscribe);
    // Whether it was ever subscribed, and whether the connection is still there, makes no difference now.
    await watched.settled.catch(() => {});
    if (watched.count === 0) this.#watched.delete(uri);
  }
}

/** Servers may name a part of what was asked for (server/resources, "Subscriptions"). */
const isIn = (uri: string, changed: string): boolean =>
  changed.startsWith(uri) && (changed === uri || uri.endsWith("/") || "/?#".includes(changed.charAt(uri.length)));
