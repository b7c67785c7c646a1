import { type Batch, type Message, type SendOptions, type Way, stringify } from "@x/jsonrpc";
import { Answer } from "./answer.ts";
import type { Carrier } from "./carrier.ts";
import type { Owner } from "./event-stream.ts";
import { RequestInfo } from "./info.ts";
import type { Accepts } from "./media.ts";
import { type Carriage, type SingleExchange, requestId } from "./protocol.ts";
import { CLOSED } from "./refusal.ts";
import type { Linked, Ring } from "./ring.ts";
import type { Site } from "./site.ts";
import type { Auth } from "./verify.ts";

/** The way of a message that is served on its own. */
export class Exchange implements Way, Owner, Linked {
  before: Linked | undefined;
  behind: Linked | undefined;
  readonly single: SingleExchange;
  readonly #site: Site;
  readonly #open: Ring<Exchange>;
  readonly #answer: Answer;
  readonly #carriage: Carriage;
  #ended = false;

  /** `open` keeps it while it has no answer. */
  constructor(site: Site, open: Ring<Exchange>, carrier: Carrier, accepts: Accepts, carriage: Carriage) {
    this.#site = site;
    this.#open = open;
    this.#answer = new Answer(carrier, accepts, site.streams, this);
    this.#carriage = carriage;
    this.single = site.protocol.exchange(this, site.peer);
  }

  run(message: Message | Batch, auth: Auth | undefined): void {
    const { carrier } = this.#answer;
    if (this.#carriage === "within") this.#site.protocol.assume(this.single, carrier);
    if (!wantsAnswer(message)) return this.#notify(message, auth);
    this.single.receive(message, new RequestInfo(carrier, auth));
    if (this.#ended) return;
    this.#open.add(this);
    this.#answer.wait();
  }

  send(message: Message | Batch, options?: SendOptions): void | Promise<void> {
    if (this.#ended) return undefined;
    if (!("method" in message)) return this.#finish(message);
    if ("id" in message) throw new Error(`"${message.method}" was not sent: this client can't be asked`);
    // The stream is this request's alone.
    return options?.cause === undefined ? undefined : this.#answer.precede(stringify(message));
  }

  /** Nobody waits for the answer any more. */
  left(): void {
    if (this.#ended || this.#carriage !== "alone") return;
    this.#leave();
    void this.single.close(new Error("The client has gone"));
  }

  /** The server has closed. */
  close(reason: unknown): void {
    this.#leave();
    this.#answer.abandon(CLOSED);
    void this.single.close(reason);
  }

  #notify(message: Message | Batch, auth: Auth | undefined): void {
    const { carrier } = this.#answer;
    this.#ended = true;
    this.single.receive(message, new RequestInfo(carrier, auth), () => void this.single.close());
    carrier.answer(202, {});
  }

  #finish(message: Message | Batch): void {
    const error = "error" in message ? message.error : undefined;
    const text = stringify(message);
    this.#leave();
    this.#answer.finish(text, error ? this.#site.protocol.status(error.code, this.#carriage) : 200);
    void this.single.close();
  }

  #leave(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#open.delete(this)) this.#site.answered();
  }
}

const wantsAnswer = (message: Message | Batch): boolean =>
  Array.isArray(message)
    ? message.some((each: Message) => requestId(each) !== undefined)
    : requestId(message as Message) !== undefined;
