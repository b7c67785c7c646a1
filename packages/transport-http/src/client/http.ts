import {
  type Batch,
  ClosedError,
  type Id,
  type Message,
  type Receive,
  type SendOptions,
  type Transport,
  stringify,
} from "@x/jsonrpc";
import { LONGEST_TIMER } from "../longest-timer.ts";
import { Exchange } from "./exchange.ts";
import type { ExchangeOptions, Link, Refusal } from "./link.ts";
import type { OldServer } from "./old-server.ts";
import { CLOSE_TIMEOUT, type HttpOptions, MAX_BYTES } from "./options.ts";
import type { ClientProtocol } from "./protocol.ts";
import { Requests } from "./requests.ts";

/** A transport to a server at a URL: `createPeer(http("https://example.com/rpc"))`, `connect(http("…/mcp"), …)`. */
export interface HttpTransport extends Transport {
  /** For whoever connects with a protocol on top of JSON-RPC: says what HTTP has to know of it. Called before `open`. */
  speak(protocol: ClientProtocol): void;
}

/** Carries each message in a POST of its own, over `fetch`. Nothing is sent before the first message. */
export function http(url: string | URL, options: HttpOptions = {}): HttpTransport {
  return new HttpClient(new Requests(url, options), options);
}

class HttpClient implements HttpTransport {
  readonly #requests: Requests;
  readonly #options: HttpOptions;
  readonly #abort = new AbortController();
  readonly #exchanges = new Map<Id, Exchange>();
  /** Messages on their way to which there is no answer. */
  readonly #sending = new Set<Promise<void>>();
  #protocol: ClientProtocol | undefined;
  #link!: Link;
  #old: OldServer | undefined;
  #closing: Promise<void> | undefined;
  #ended!: (reason: unknown) => void;
  #done: (() => void) | undefined;

  constructor(requests: Requests, options: HttpOptions) {
    this.#requests = requests;
    this.#options = options;
  }

  speak(protocol: ClientProtocol): void {
    this.#protocol = protocol;
  }

  open(receive: Receive): Promise<void> {
    const { maxBytes = MAX_BYTES, onError } = this.#options;
    this.#link = {
      requests: this.#requests,
      options: this.#options,
      maxBytes,
      protocol: this.#protocol,
      session: undefined,
      receive,
      signal: this.#abort.signal,
      running: new Set(),
      report: onError ?? (() => {}),
      exchange: (message, options) => this.#exchange(message, options),
      meetOld: (first, refusal) => this.#meetOld(first, refusal),
    };
    return new Promise((resolve, reject) => {
      this.#done = resolve;
      this.#ended = reject;
    });
  }

  send(message: Message | Batch, options?: SendOptions): Promise<void> {
    if (this.#closing) throw new ClosedError("The connection has ended", { sent: false });
    if (this.#old) return this.#track(this.#old.post(stringify(message)));
    const exchange = this.#exchange(message, { headers: options?.headers });
    const ids = [...exchange.ids];
    if (ids.length === 0) return this.#track(exchange.run());
    for (const id of ids) this.#exchanges.set(id, exchange);
    const forget = (): void => {
      for (const id of ids) if (this.#exchanges.get(id) === exchange) this.#exchanges.delete(id);
    };
    const answered = exchange.run();
    answered.then(forget, forget);
    return answered;
  }

  /** Closing its stream cancels a call that is all by itself. In a session it doesn't: there the server has to be told. */
  cancel(id: Id): boolean {
    const exchange = this.#exchanges.get(id);
    if (!exchange) return false;
    this.#exchanges.delete(id);
    // Others of its batch still wait for their answers.
    for (const other of exchange.ids) if (this.#exchanges.has(other)) return false;
    exchange.abort();
    return exchange.passage === "alone";
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  #exchange(message: Message | Batch, options: ExchangeOptions): Exchange {
    return new Exchange(this.#link, message, options);
  }

  async #meetOld(first: Message, refusal: Refusal): Promise<boolean> {
    if (this.#options.oldServers === false) return false;
    const { OldServer } = await import("./old-server.ts");
    this.#old = await OldServer.meet(this.#link, refusal, this.#ended);
    await this.#old?.post(stringify(first));
    return this.#old !== undefined;
  }

  #track(sending: Promise<void>): Promise<void> {
    this.#sending.add(sending);
    const forget = (): void => void this.#sending.delete(sending);
    sending.then(forget, forget);
    return sending;
  }

  /** What was sent is delivered and the session ended, as far as the server lets itself be told in time. */
  async #close(): Promise<void> {
    const { closeTimeout = CLOSE_TIMEOUT } = this.#options;
    const reason = new ClosedError("The connection has ended", { sent: true });
    const hurry = new AbortController();
    const timer = setTimeout(() => hurry.abort(reason), Math.min(closeTimeout, LONGEST_TIMER));
    const late = new Promise<void>((resolve) => hurry.signal.addEventListener("abort", () => resolve()));
    for (const exchange of this.#exchanges.values()) exchange.abort();
    await Promise.race([Promise.allSettled(this.#sending), late]);
    // Undefined where it is closed before it was opened.
    const link: Link | undefined = this.#link;
    await Promise.race([link?.session?.end(hurry.signal).catch(() => {}), late]);
    clearTimeout(timer);
    this.#abort.abort(reason);
    for (const each of link?.running ?? []) each.abort(reason);
    this.#done?.();
  }
}
