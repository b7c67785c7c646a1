import { type Sender, unheard } from "./context.ts";
import { ClosedError } from "./errors.ts";
import { type Answers, sendAnswers } from "./fault.ts";
import type { Dispatcher } from "./handler.ts";
import { Inbound, type InboundOptions, deskOf } from "./inbound.ts";
import { notification } from "./message.ts";
import type { Report } from "./report.ts";
import type { Info, Receive, SendOptions, Transport } from "./transport.ts";

/** Takes what comes of one message: notifications on its behalf, and its answer. */
export type Way = Pick<Transport, "send">;

export interface ExchangeOptions extends InboundOptions {
  readonly service: Dispatcher;
}

/**
 * Serves one message, or one batch, that comes without a connection, for carriers where each has a way back of its own,
 * such as HTTP. It makes less than a peer does: of a small call over HTTP that was a tenth.
 */
export class Exchange implements Sender {
  readonly #inbound: Inbound;
  readonly #way: Way;
  readonly #report: Report;
  #over = false;

  constructor(way: Way, options: ExchangeOptions) {
    const desk = deskOf(options.service, options);
    this.#way = way;
    this.#report = desk.report;
    this.#inbound = new Inbound(desk, this);
  }

  /** Called once. `silent`: see `Receive`. */
  receive(message: unknown, info?: Info, silent?: Parameters<Receive>[2]): void {
    this.#inbound.receive(message, info, (answers) => (answers ? this.#answer(answers) : silent?.()));
  }

  /** Aborts what is still running; nothing is sent any more. */
  close(reason?: unknown): void {
    this.#over = true;
    this.#inbound.end(() => new ClosedError("The exchange has ended", { cause: reason, sent: true }));
  }

  /** Whoever sent the message takes its answer and no questions. */
  request(method: string): Promise<never> {
    return unreachable.request(method);
  }

  notify(method: string, params: unknown, options?: SendOptions): Promise<void> {
    if (this.#over) return unreachable.notify(method);
    try {
      return unheard(Promise.resolve(this.#way.send(notification(method, params), options)));
    } catch (error) {
      return unheard(Promise.reject(error));
    }
  }

  #answer(answers: Answers): void | Promise<void> {
    if (this.#over) return undefined;
    const sent = sendAnswers(answers, this.#way, this.#report);
    return sent?.catch((error: unknown) => this.#report(error, "transport"));
  }
}

const notSent = (method: string): Promise<never> =>
  unheard(
    Promise.reject(
      new ClosedError(`"${method}" was not sent: this carrier only takes the answer back`, { sent: false }),
    ),
  );

/** A carrier that only takes the answer back. */
export const unreachable: { readonly [K in keyof Sender]: (method: string) => Promise<never> } = {
  request: notSent,
  notify: notSent,
};
