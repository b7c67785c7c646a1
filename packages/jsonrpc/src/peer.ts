import type { BatchBuilder, BatchResults } from "./batch.ts";
import type { Arguments, MethodOf, ResultOf, Untyped } from "./contract.ts";
import { LAST_ANSWERS, LONGEST_TIMER, ended } from "./ending.ts";
import { type Answers, sendAnswers } from "./fault.ts";
import type { CallOptions, Dispatcher, Middleware } from "./handler.ts";
import { Inbound, type InboundOptions, deskOf, methodNotFound } from "./inbound.ts";
import { Outbound, type OutboundOptions } from "./outbound.ts";
import type { Outgoing } from "./outgoing.ts";
import type { SendOptions, Transport } from "./transport.ts";

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

/** Adds the half that answers, and ends both together. */
class Connection extends Outbound {
  readonly closed: Promise<unknown>;
  /** Let go at the end, and with it handlers that don't obey their signal. */
  #inbound: Inbound | undefined;
  readonly #drain: number;
  #resolveClosed!: (reason: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Why an answer could not be sent. */
  #lost: unknown;

  constructor(transport: Transport, options: PeerOptions) {
    const desk = deskOf(options.service ?? nowhere, options);
    super(transport, desk, options);
    this.#drain = Math.min(options.drain ?? 400, LONGEST_TIMER);
    this.#inbound = new Inbound(desk, this, this);
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    void this.#open();
  }

  async close(reason?: unknown): Promise<void> {
    if (this.state !== "closed") {
      this.end(reason, "closed");
      this.#inbound?.end(() => ended(reason));
      this.#inbound = undefined;
      clearTimeout(this.#timer);
      try {
        await this.transport.close();
      } catch (error) {
        this.report(error, "transport");
      }
      this.#resolveClosed(reason);
    }
    await this.closed;
  }

  async #open(): Promise<void> {
    try {
      await this.transport
        .open((message, info, silent) =>
          this.#inbound?.receive(
            message,
            info,
            silent ? (answers) => (answers ? this.#answer(answers) : silent()) : this.#answer,
          ),
        )
        .then(() => this.#inputEnded());
    } catch (reason) {
      void this.close(reason);
    }
  }

  readonly #answer = (answers: Answers | undefined): void | Promise<void> => {
    if (answers && this.state !== "closed")
      return sendAnswers(answers, this.transport, this.report)?.catch((error: unknown) => {
        // Thousands may have waited for the same end.
        if (error !== this.#lost) this.report((this.#lost = error), "transport");
      });
  };

  /** Calls that were read before the end still get their answers, for a while. */
  #inputEnded(): void {
    if (this.state !== "open") return;
    this.end(undefined, "ended");
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(() => void this.close(), LAST_ANSWERS);
      this.#inbound?.end(ended);
    }, this.#drain);
    this.#inbound?.whenIdle(() => void this.close());
  }
}

const nowhere: Dispatcher = {
  dispatch({ method }) {
    throw methodNotFound(method);
  },
};
