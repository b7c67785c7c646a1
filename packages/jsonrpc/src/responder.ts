import type { Group } from "./batch.ts";
import type { Calling } from "./calling.ts";
import { type Sender, unheard } from "./context.ts";
import { LAST_ANSWERS, LONGEST_TIMER, ended } from "./ending.ts";
import { ClosedError } from "./errors.ts";
import { type Answers, sendAnswers } from "./fault.ts";
import type { CallOptions, Dispatcher } from "./handler.ts";
import { type CallingHalf, type Desk, Inbound, deskOf } from "./inbound.ts";
import { type Failure, type Id, type Success, notification } from "./message.ts";
import type { Outgoing } from "./outgoing.ts";
import type { PeerOptions } from "./peer.ts";
import type { Info, Receive, SendOptions, Transport } from "./transport.ts";

export interface ResponderOptions extends Omit<PeerOptions, "service" | "debouncedNotificationMethods"> {
  readonly service: Dispatcher & Holder;
}

/** A service that has to get ready, say to load code, when it is given a message that needs it. */
interface Holder {
  /** While it is set, what arrives on the connection waits until it has settled, in order, the end of the input too. */
  readonly hold?: Promise<unknown> | undefined;
}

/**
 * One end of a connection that answers, for servers that seldom call or never: what it takes to call is loaded with the
 * first request of its own. Otherwise it is what a peer is.
 */
export class Responder implements Sender, CallingHalf {
  /** Resolves, never rejects, when the connection has ended, with the reason if there is one. */
  readonly closed: Promise<unknown>;
  readonly #transport: Transport;
  readonly #options: ResponderOptions;
  readonly #desk: Desk;
  #state: "open" | "ended" | "closed" = "open";
  #reason: unknown;
  /** Let go at the end, and with it handlers that don't obey their signal. */
  #inbound: Inbound | undefined;
  /** Settles when the last message that waits for the service has been taken. */
  #held: Promise<void> | undefined;
  #calling: Calling | undefined;
  #loading: Promise<Calling> | undefined;
  #resolveClosed!: (reason: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Why an answer could not be sent: thousands may have waited for the same end. */
  #lost: unknown;

  /** Opens the transport. */
  constructor(transport: Transport, options: ResponderOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#desk = deskOf(options.service, options);
    this.#inbound = new Inbound(this.#desk, this, this);
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    void this.#open();
  }

  async request(method: string, params?: unknown, options?: CallOptions & SendOptions): Promise<unknown> {
    return await (this.#calling ?? (await this.#call())).request(method, params, options);
  }

  notify(method: string, params?: unknown, options?: SendOptions): Promise<void> {
    try {
      if (this.#state === "closed")
        throw new ClosedError(`"${method}" was not sent: the connection has ended`, {
          cause: this.#reason,
          sent: false,
        });
      const sent = this.#transport.send(notification(method, params), options);
      return sent ? unheard(sent) : DONE;
    } catch (error) {
      return unheard(Promise.reject(error));
    }
  }

  /** Ends the connection: calls in flight reject, running handlers are aborted. */
  async close(reason?: unknown): Promise<void> {
    if (this.#state !== "closed") {
      this.#end(reason, "closed");
      this.#inbound?.end(() => ended(reason));
      this.#inbound = undefined;
      clearTimeout(this.#timer);
      try {
        await this.#transport.close();
      } catch (error) {
        this.#desk.report(error, "transport");
      }
      this.#resolveClosed(reason);
    }
    await this.closed;
  }

  get size(): number {
    return this.#calling?.size ?? 0;
  }

  /** What nobody has asked for is for the half that asks to report. */
  settle(kind: "success" | "failure", answer: Success & Failure): Group | undefined {
    if (this.#calling) return this.#calling.settle(kind, answer);
    this.#call().then(
      (calling) => calling.settle(kind, answer),
      (error: unknown) => this.#desk.report(error, "transport"),
    );
    return undefined;
  }

  failInvalid(id: Id, message: string): Outgoing | undefined {
    return this.#calling?.failInvalid(id, message);
  }

  answered(group: Group): void {
    this.#calling?.answered(group);
  }

  progress(token: Id | undefined, params: unknown): boolean {
    return this.#calling?.progress(token, params) === true;
  }

  async #open(): Promise<void> {
    try {
      await this.#transport.open((message, info, silent) => {
        const hold = this.#held ?? this.#options.service.hold;
        if (hold) this.#hold(hold, [message, info, silent]);
        else this.#take(message, info, silent);
      });
      await this.#held;
      this.#inputEnded();
    } catch (reason) {
      void this.close(reason);
    }
  }

  #take(message: unknown, info: Info | undefined, silent: Parameters<Receive>[2]): void {
    this.#inbound?.receive(
      message,
      info,
      silent ? (answers) => (answers ? this.#answer(answers) : silent()) : this.#answer,
    );
  }

  #hold(until: Promise<unknown>, [message, info, silent]: Parameters<Receive>): void {
    const take = (): void => {
      this.#take(message, info, silent);
      if (this.#held === held) this.#held = undefined;
    };
    const held = until.then(take, take);
    this.#held = held;
  }

  readonly #answer = (answers: Answers | undefined): void | Promise<void> => {
    if (answers && this.#state !== "closed")
      return sendAnswers(answers, this.#transport, this.#desk.report)?.catch((error: unknown) => {
        if (error !== this.#lost) this.#desk.report((this.#lost = error), "transport");
      });
  };

  #call(): Promise<Calling> {
    return (this.#loading ??= import("./calling.ts").then(({ Calling }) => {
      this.#calling = new Calling(this.#transport, this.#desk, this.#options);
      if (this.#state !== "open") this.#calling.end(this.#reason, this.#state);
      return this.#calling;
    }));
  }

  #end(reason: unknown, state: "ended" | "closed"): void {
    this.#reason ??= reason;
    this.#state = state;
    this.#calling?.end(reason, state);
  }

  /** Calls that were read before the end still get their answers, for a while. */
  #inputEnded(): void {
    if (this.#state !== "open") return;
    this.#end(undefined, "ended");
    const drain = Math.min(this.#options.drain ?? 400, LONGEST_TIMER);
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(() => void this.close(), LAST_ANSWERS);
      this.#inbound?.end(ended);
    }, drain);
    this.#inbound?.whenIdle(() => void this.close());
  }
}

const DONE = /* @__PURE__ */ Promise.resolve();
