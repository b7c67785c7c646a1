import type { Carrier } from "./carrier.ts";
import { EventStream, type Owner } from "./event-stream.ts";
import { type Refusal, TOO_MANY_STREAMS, refusal, refuse } from "./refusal.ts";
import type { Resumables } from "./resumables.ts";
import type { Streams } from "./streams.ts";

/** Streams that a client may hold open at once; for one more the oldest ends. */
const MAX_OPEN = 8;

/** Messages that wait for a client to open a stream; the oldest are dropped for more. */
const MAX_WAITING = 1000;

/** The streams that a client has opened by GET: for messages that belong to no request, each of which goes on one. */
export class Listeners implements Owner {
  readonly #streams: Streams;
  readonly #resumables: Resumables;
  #open: EventStream[] = [];
  #waiting: string[] = [];

  constructor(streams: Streams, resumables: Resumables) {
    this.#streams = streams;
    this.#resumables = resumables;
  }

  get size(): number {
    return this.#open.length;
  }

  /** Answers a GET: with a new stream, or with the rest of the one that the client has lost. */
  async open(carrier: Carrier, lastEventId: string | undefined): Promise<void> {
    if (lastEventId === undefined) return this.#begin(carrier);
    const found = this.#resumables.find(lastEventId);
    if (found && (await found.stream.resume(carrier, found.number))) {
      if (this.#resumables.isListeners(lastEventId)) this.#add(found.stream);
      return;
    }
    // What is lost of a request's stream may be its answer. Any other is as good as the lost one.
    if (this.#resumables.isListeners(lastEventId)) this.#begin(carrier);
    else refuse(carrier, UNKNOWN_EVENT, undefined);
  }

  send(text: string): void | Promise<void> {
    const newest = this.#open.at(-1);
    if (newest) return newest.send(text);
    this.#waiting.push(text);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    return undefined;
  }

  left(): void {
    this.#open = this.#open.filter((stream) => stream.connected);
  }

  end(): void {
    for (const stream of this.#open) stream.end();
    this.#open = [];
    this.#waiting = [];
  }

  #begin(carrier: Carrier): void {
    const resumable = this.#resumables.next("listener");
    const stream = new EventStream(this.#streams, this, resumable);
    if (!stream.attach(carrier)) return refuse(carrier, TOO_MANY_STREAMS, undefined);
    if (resumable) this.#resumables.add(stream, resumable);
    this.#add(stream);
  }

  #add(stream: EventStream): void {
    this.left();
    if (!this.#open.includes(stream)) this.#open.push(stream);
    if (this.#open.length > MAX_OPEN) this.#open.shift()?.end();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const text of waiting) void stream.send(text);
  }
}

/** For events that are not kept any more, or never were. */
const UNKNOWN_EVENT: Refusal = refusal(400, "Nothing is known of this Last-Event-ID; start again without it");
