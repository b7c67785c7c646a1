import {
  type Batch,
  INTERNAL_ERROR,
  type Message,
  type Receive,
  type SendOptions,
  type Transport,
  stringify,
} from "@x/jsonrpc";
import { Answer } from "./answer.ts";
import type { Carrier } from "./carrier.ts";
import type { Owner } from "./event-stream.ts";
import { RequestInfo } from "./info.ts";
import type { Accepts } from "./media.ts";
import { type Carriage, type Connection, requestId } from "./protocol.ts";
import { type Refusal, refusal } from "./refusal.ts";
import type { Linked, Ring } from "./ring.ts";
import type { Site } from "./site.ts";
import type { Auth } from "./verify.ts";

/** A message that is served on its own: a connection that ends with the answer. */
export class Exchange implements Transport, Owner, Linked {
  before: Linked | undefined;
  behind: Linked | undefined;
  connection!: Connection;
  /** The server waits for it before it closes. */
  readonly busy = true;
  readonly #site: Site;
  readonly #open: Ring<Exchange>;
  readonly #answer: Answer;
  readonly #carriage: Carriage;
  #receive!: Receive;
  #ended = false;
  #end!: () => void;

  /** `open` keeps it while it has no answer. */
  constructor(site: Site, open: Ring<Exchange>, carrier: Carrier, accepts: Accepts, carriage: Carriage) {
    this.#site = site;
    this.#open = open;
    this.#answer = new Answer(carrier, accepts, site.streams, this);
    this.#carriage = carriage;
  }

  open(receive: Receive): Promise<void> {
    this.#receive = receive;
    return new Promise((resolve) => (this.#end = resolve));
  }

  run(message: Message | Batch, auth: Auth | undefined): void {
    const { protocol, peer } = this.#site;
    const { carrier } = this.#answer;
    this.connection = protocol.exchange(this, peer);
    if (this.#carriage === "within") protocol.assume(this.connection, carrier);
    if (!wantsAnswer(message)) return this.#notify(message, auth);
    this.#receive(message, new RequestInfo(carrier, auth));
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
    void this.connection.close(new Error("The client has gone"));
  }

  close(): void {
    if (!this.#ended) this.#answer.abandon(CLOSED);
    this.#leave();
    this.#end();
  }

  #notify(message: Message | Batch, auth: Auth | undefined): void {
    const { carrier } = this.#answer;
    this.#ended = true;
    this.#receive(message, new RequestInfo(carrier, auth), () => void this.connection.close());
    carrier.answer(202, {});
  }

  #finish(message: Message | Batch): void {
    const error = "error" in message ? message.error : undefined;
    const text = stringify(message);
    this.#leave();
    this.#answer.finish(text, error ? this.#site.protocol.status(error.code, this.#carriage) : 200);
    void this.connection.close();
  }

  #leave(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#open.delete(this)) this.#site.answered();
  }
}

/** For a call that was not answered when the server closed. */
const CLOSED: Refusal = refusal(503, "The server has closed", INTERNAL_ERROR);

const wantsAnswer = (message: Message | Batch): boolean =>
  Array.isArray(message)
    ? message.some((each: Message) => requestId(each) !== undefined)
    : requestId(message as Message) !== undefined;
