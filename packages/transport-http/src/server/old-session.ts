import { type Batch, type Message, type Receive, type Transport, stringify } from "@x/jsonrpc";
import type { Carrier } from "./carrier.ts";
import { EventStream, type Owner } from "./event-stream.ts";
import { RequestInfo } from "./info.ts";
import type { Connection } from "./protocol.ts";
import { TOO_MANY_STREAMS, refuse } from "./refusal.ts";
import type { Streams } from "./streams.ts";
import type { Auth } from "./verify.ts";

/** The query parameter that names the connection in a POST. */
const PARAMETER = "sessionId";

/** A client of 2024-11-05: one event stream for all answers, and POSTs that are answered with 202 alone. */
export class OldSession implements Transport, Owner {
  readonly id: string = crypto.randomUUID();
  readonly principal: string | undefined;
  connection!: Connection;
  /** Which of its calls are answered is not known here. */
  readonly busy = false;
  readonly #stream: EventStream;
  readonly #closed: (session: OldSession) => void;
  #receive!: Receive;
  #end!: () => void;

  constructor(streams: Streams, principal: string | undefined, closed: (session: OldSession) => void) {
    this.#stream = new EventStream(streams, this);
    this.principal = principal;
    this.#closed = closed;
  }

  open(receive: Receive): Promise<void> {
    this.#receive = receive;
    return new Promise((resolve) => (this.#end = resolve));
  }

  /** Answers the GET: the first event says where to post. False when there are too many streams. */
  listen(carrier: Carrier): boolean {
    const { target } = carrier;
    const endpoint = `${target}${target.includes("?") ? "&" : "?"}${PARAMETER}=${this.id}`;
    if (this.#stream.attach(carrier, `event: endpoint\ndata: ${endpoint}\n\n`)) return true;
    refuse(carrier, TOO_MANY_STREAMS, undefined);
    return false;
  }

  post(message: Message | Batch, carrier: Carrier, auth: Auth | undefined): void {
    carrier.answer(202, { "Content-Type": "text/plain" }, "Accepted");
    this.#receive(message, new RequestInfo(carrier, auth));
  }

  send(message: Message | Batch): void | Promise<void> {
    return this.#stream.send(stringify(message));
  }

  /** Closing the stream ends the connection. */
  left(): void {
    void this.connection.close(new Error("The client has gone"));
  }

  close(): void {
    this.#stream.end();
    this.#closed(this);
    this.#end();
  }
}
