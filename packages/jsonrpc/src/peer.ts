import type { BatchBuilder, BatchResults } from "./batch.ts";
import type { Arguments, MethodOf, ResultOf, Untyped } from "./contract.ts";
import { ClosedError } from "./errors.ts";
import { type Answers, sendAnswers } from "./fault.ts";
import type { CallOptions, Dispatcher, Middleware } from "./handler.ts";
import { Inbound, type InboundOptions, deskOf, methodNotFound } from "./inbound.ts";
import { Outbound, type OutboundOptions } from "./outbound.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Report } from "./report.ts";
import type { Info, SendOptions, Transport } from "./transport.ts";

export interface PeerOptions extends InboundOptions, OutboundOptions {
  /** Answers the other side's calls; without it each gets -32601. */
  readonly service?: Dispatcher | undefined;
  /** After the other side ended its input, ms that running handlers have before their signal is aborted (default 400). */
  readonly drain?: number | undefined;
}

/** One end of a connection. Both ends can call and answer. */
export interface Peer<C = Untyped> {
  /** Calls the other side. Rejects with RpcError (its answer), TimeoutError, AbortError or ClosedError. */
  request<M extends MethodOf<C>>(
    method: M,
    ...args: Arguments<C, M, CallOptions & SendOptions>
  ): Promise<ResultOf<C, M>>;
  /** Resolves when the transport has taken it. Leaving the promise alone is safe, also when it rejects. */
  notify<M extends MethodOf<C>>(method: M, ...args: Arguments<C, M, SendOptions>): Promise<void>;
  /** Sends several calls as one message (section 6). Resolves with the results; rejects with the first error. */
  batch<const T extends readonly unknown[]>(build: (batch: BatchBuilder<C>) => T): Promise<BatchResults<T>>;
  /** Adds middleware around outgoing requests; the first added is the outermost. */
  use(...middleware: Middleware<Outgoing>[]): this;
  /** Ends the connection: calls in flight reject, running handlers are aborted. */
  close(reason?: unknown): Promise<void>;
  /** Resolves, never rejects, when the connection has ended, with the reason if there is one. */
  readonly closed: Promise<unknown>;
}

/** Opens the transport and speaks JSON-RPC over it. */
export function createPeer<C = Untyped>(transport: Transport, options: PeerOptions = {}): Peer<C> {
  return new Connection(transport, options) as unknown as Peer<C>;
}

/** After `drain`, ms in which handlers that have been aborted may still give an answer. */
const LAST_ANSWERS = 5000;

/** 23 days. A timer of much more ms would fire at once. */
const LONGEST_DRAIN = 2e9;

/** Joins the two halves to a transport and ends them together. */
class Connection {
  readonly closed: Promise<unknown>;
  readonly #transport: Transport;
  readonly #outbound: Outbound;
  readonly #inbound: Inbound;
  readonly #report: Report;
  readonly #drain: number;
  #state: "open" | "draining" | "closed" = "open";
  #resolveClosed!: (reason: unknown) => void;

  constructor(transport: Transport, options: PeerOptions) {
    const desk = deskOf(options.service ?? nowhere, options);
    this.#transport = transport;
    this.#report = desk.report;
    this.#drain = Math.min(options.drain ?? 400, LONGEST_DRAIN);
    this.#outbound = new Outbound(transport, desk, options);
    this.#inbound = new Inbound(desk, this.#outbound, this.#outbound);
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    this.#open();
  }

  request(method: string, params?: unknown, options?: CallOptions & SendOptions): Promise<unknown> {
    return this.#outbound.request(method, params, options);
  }

  notify(method: string, params?: unknown, options?: SendOptions): Promise<void> {
    return this.#outbound.notify(method, params, options);
  }

  batch<const T extends readonly unknown[]>(build: (batch: BatchBuilder) => T): Promise<BatchResults<T>> {
    return this.#outbound.batch(build);
  }

  use(...middleware: Middleware<Outgoing>[]): this {
    this.#outbound.use(...middleware);
    return this;
  }

  async close(reason?: unknown): Promise<void> {
    if (this.#state !== "closed") {
      this.#state = "closed";
      this.#outbound.close(reason);
      this.#inbound.close(() => ended(reason));
      try {
        await this.#transport.close();
      } catch (error) {
        this.#report(error, "transport");
      }
      this.#resolveClosed(reason);
    }
    await this.closed;
  }

  #open(): void {
    const answer = (answers: Answers | undefined): void | Promise<void> => this.#answer(answers);
    const receive = (message: unknown, info?: Info, silent?: () => void): void => {
      if (this.#state === "closed") return;
      this.#inbound.receive(message, info, silent ? (answers) => (answers ? this.#answer(answers) : silent()) : answer);
    };
    try {
      this.#transport.open(receive).then(
        () => this.#inputEnded(),
        (reason: unknown) => this.close(reason),
      );
    } catch (reason) {
      void this.close(reason);
    }
  }

  #answer(answers: Answers | undefined): void | Promise<void> {
    if (!answers || this.#state === "closed") return undefined;
    return sendAnswers(answers, (each) => this.#transport.send(each), this.#report)?.catch((error: unknown) =>
      this.#report(error, "transport"),
    );
  }

  /** Calls that were read before the end still get their answers, for a while. */
  #inputEnded(): void {
    if (this.#state !== "open") return;
    this.#state = "draining";
    this.#outbound.end(undefined);
    const abort = setTimeout(() => this.#inbound.end(ended(undefined)), this.#drain);
    const giveUp = setTimeout(() => void this.close(), this.#drain + LAST_ANSWERS);
    void this.closed.then(() => {
      clearTimeout(abort);
      clearTimeout(giveUp);
    });
    this.#inbound.whenIdle(() => void this.close());
  }
}

const ended = (cause: unknown): ClosedError => new ClosedError("The connection has ended", { cause, sent: true });

const nowhere: Dispatcher = {
  dispatch({ method }) {
    throw methodNotFound(method);
  },
};
