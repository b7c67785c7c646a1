import { Answers, type BatchBuilder, type BatchResults } from "./batch.ts";
import type { Arguments, MethodOf, ResultOf, Untyped } from "./contract.ts";
import type { Collector } from "./context.ts";
import { ClosedError } from "./errors.ts";
import { faultFor, isSerialisable } from "./fault.ts";
import { type CallOptions, type Dispatcher, type Middleware } from "./handler.ts";
import { Inbound, type InboundOptions } from "./inbound.ts";
import { Invalid } from "./invalid.ts";
import {
  type Failure,
  type Message,
  type Notification,
  type Request,
  type Response,
  type Success,
  kindOf,
} from "./message.ts";
import { Outbound, type OutboundOptions } from "./outbound.ts";
import type { Outgoing } from "./outgoing.ts";
import { type Profile, base } from "./profile.ts";
import { type Report, reporter } from "./report.ts";
import type { Info, SendOptions, Transport } from "./transport.ts";

export interface PeerOptions extends InboundOptions, OutboundOptions {
  /** Answers the other side's calls; without it each gets -32601. */
  readonly service?: Dispatcher | undefined;
  readonly profile?: Profile | undefined;
  /** After the other side ended its input, ms that running handlers have before their signal is aborted (default 400). */
  readonly drain?: number | undefined;
  /** Hears what nobody else does: handlers' causes, unknown answers, send failures. Default: `console.error` for handlers. */
  readonly onError?: Report | undefined;
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

/** Joins the two halves to a transport, sorts what arrives, and ends them together. */
class Connection {
  readonly closed: Promise<unknown>;
  readonly #transport: Transport;
  readonly #inbound: Inbound;
  readonly #outbound: Outbound;
  readonly #profile: Profile;
  readonly #report: Report;
  readonly #drain: number;
  #state: "open" | "draining" | "closed" = "open";
  #resolveClosed!: (reason: unknown) => void;

  constructor(transport: Transport, options: PeerOptions) {
    this.#transport = transport;
    this.#profile = options.profile ?? base;
    this.#report = reporter(options.onError);
    this.#drain = options.drain ?? 400;
    this.#outbound = new Outbound(transport, this.#profile, options, this.#report);
    this.#inbound = new Inbound(
      options.service,
      this.#profile,
      options,
      this.#report,
      (response) => this.#answer(response),
      this.#outbound,
    );
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
      this.#outbound.end(reason);
      this.#inbound.tasks.abortAll(new ClosedError("The connection has ended", { cause: reason, sent: true }));
      await this.#closeTransport();
      this.#resolveClosed(reason);
    }
    await this.closed;
  }

  #open(): void {
    try {
      this.#transport
        .open((message, info) => this.#receive(message, info))
        .then(
          () => this.#inputEnded(),
          (reason: unknown) => this.close(reason),
        );
    } catch (reason) {
      void this.close(reason);
    }
  }

  #receive(message: unknown, info: Info | undefined): void {
    if (this.#state === "closed") return;
    if (Array.isArray(message)) this.#receiveBatch(message, info);
    else this.#receiveOne(message, info);
  }

  #receiveOne(message: unknown, info: Info | undefined, collector?: Collector): void {
    switch (kindOf(message)) {
      case "request":
        return void this.#inbound.request(message as Request, info, collector);
      case "notification":
        if (!this.#isProgress(message as Notification)) this.#inbound.notification(message as Notification, info);
        return;
      case "success":
        return this.#outbound.succeed((message as Success).id, (message as Success).result);
      case "failure":
        return this.#outbound.fail(message as Failure);
      case "invalid":
        return this.#receiveInvalid(Invalid.of(message), collector);
    }
  }

  #isProgress({ method, params }: Notification): boolean {
    const { progress } = this.#profile;
    if (method !== progress?.method) return false;
    const token = progress.token(params);
    return token !== undefined && this.#outbound.progress(token, params);
  }

  #receiveInvalid(invalid: Invalid, collector?: Collector): void {
    // What may have been a response ends the call that waits for this id. A broken request's id is the other side's own.
    if (
      invalid.meant !== "request" &&
      invalid.id !== null &&
      this.#outbound.failInvalid(invalid.id, invalid.error.message)
    )
      collector?.settle(undefined);
    else this.#inbound.invalid(invalid, collector);
  }

  #receiveBatch(messages: readonly unknown[], info: Info | undefined): void {
    const refusal = this.#inbound.refuseBatch(messages);
    if (refusal !== undefined) return this.#inbound.invalid(Invalid.frame(refusal));
    let expected = 0;
    for (const message of messages) if (wantsAnswer(message)) expected++;
    const answers = expected > 0 ? new Answers(expected, (responses) => this.#answerBatch(responses)) : undefined;
    for (const message of messages) this.#receiveOne(message, info, answers);
    this.#outbound.settleBatch(messages);
  }

  #answer(response: Response): void {
    if (this.#state === "closed") return;
    this.#send(response, (fault) => this.#answerFault(response, fault));
  }

  #answerBatch(responses: readonly Response[]): void {
    if (this.#state === "closed" || responses.length === 0) return;
    this.#send(responses, (fault) => {
      this.#report(fault, "handler");
      this.#send(responses.map((response) => (isSerialisable(response) ? response : faultFor(response, fault))));
    });
  }

  /** A result that the transport can't carry becomes -32603; the caller is answered all the same. */
  #answerFault(response: Response, fault: unknown): void {
    this.#report(fault, "handler");
    this.#send(faultFor(response, fault));
  }

  /** `unserialisable` is told what the transport threw at once; later failures are the connection's. */
  #send(message: Message | readonly Message[], unserialisable?: (fault: unknown) => void): void {
    try {
      this.#transport.send(message)?.then(undefined, (error: unknown) => this.#report(error, "transport"));
    } catch (fault) {
      if (unserialisable) unserialisable(fault);
      else this.#report(fault, "transport");
    }
  }

  /** Calls that were read before the end still get their answers, for a while. */
  #inputEnded(): void {
    if (this.#state !== "open") return;
    this.#state = "draining";
    this.#outbound.end(undefined);
    const { tasks } = this.#inbound;
    const abort = setTimeout(
      () => tasks.abortAll(new ClosedError("The connection has ended", { sent: true })),
      this.#drain,
    );
    const giveUp = setTimeout(() => this.close(), this.#drain + LAST_ANSWERS);
    void this.closed.then(() => {
      clearTimeout(abort);
      clearTimeout(giveUp);
    });
    tasks.whenIdle(() => void this.close());
  }

  async #closeTransport(): Promise<void> {
    try {
      await this.#transport.close();
    } catch (error) {
      this.#report(error, "transport");
    }
  }
}

function wantsAnswer(message: unknown): boolean {
  const kind = kindOf(message);
  return kind === "request" || kind === "invalid";
}
