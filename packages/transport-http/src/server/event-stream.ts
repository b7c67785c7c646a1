import { COMMENT, STREAM_HEADERS, eventText, primingText, retryText } from "../sse/write.ts";
import type { Carrier } from "./carrier.ts";
import type { StoredEvent } from "./events.ts";
import type { Linked } from "./ring.ts";
import type { Streams } from "./streams.ts";
import type { Watched } from "./watch.ts";

/** Bytes that wait for a client before who sends is made to wait. */
const HIGH_WATER = 65_536;

/** What makes a stream outlive its connection. */
export interface Resumable {
  /** Names the stream within its session: event ids begin with it. */
  readonly name: string;
  /** Names it in the store, unguessable. */
  readonly key: string;
  /** Do clients of this revision know that a stream may begin with an event without data? */
  readonly primed: boolean;
}

/** Who has the stream, or the answer that may become one. */
export interface Owner {
  /** The client has gone before the end. */
  left(): void;
}

/** One event stream. A resumable one goes on without a connection until a client comes back for it. */
export class EventStream implements Watched {
  looks = 0;
  before: Linked | undefined;
  behind: Linked | undefined;
  readonly #streams: Streams;
  readonly #resumable: Resumable | undefined;
  readonly #owner: Owner;
  #carrier: Carrier | undefined;
  /** Of the last event. */
  #number = 0;
  #ended = false;
  /** While the client is slow: shared by all that is sent meanwhile. */
  #slow: Promise<void> | undefined;

  constructor(streams: Streams, owner: Owner, resumable?: Resumable) {
    this.#streams = streams;
    this.#owner = owner;
    this.#resumable = resumable;
  }

  get connected(): boolean {
    return this.#carrier !== undefined;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Starts the answer on a connection, with `first` if it is given. False when there are too many streams. */
  attach(carrier: Carrier, first?: string): boolean {
    if (!this.#connect(carrier)) return false;
    if (first !== undefined) carrier.write(first);
    const { retry } = this.#streams;
    if (this.#resumable?.primed) carrier.write(primingText(this.#id(this.#number), retry));
    return true;
  }

  /** As `attach`, after the events that a client has missed since `number`. False where some are not to be had. */
  async resume(carrier: Carrier, number: number): Promise<boolean> {
    if (number > this.#number) return false;
    const missed: StoredEvent[] = [];
    // While the store is asked, more may be sent.
    for (let last = number; last < this.#number; last = missed.at(-1)!.number) {
      const events = await this.#streams.store?.after(this.#resumable!.key, last);
      if (!events || events.length === 0) return false;
      missed.push(...events);
    }
    if (!this.#connect(carrier)) return false;
    for (const { number: each, data } of missed) carrier.write(eventText(data, this.#id(each)));
    if (this.#ended) this.#finish();
    return true;
  }

  /** A promise means that the client is slow. */
  send(data: string): void | Promise<void> {
    if (this.#ended) return undefined;
    const resumable = this.#resumable;
    if (resumable) this.#store(resumable, data);
    const carrier = this.#carrier;
    if (!carrier) return undefined;
    carrier.write(eventText(data, resumable && this.#id(this.#number)));
    this.looks = 0;
    const { buffered } = carrier;
    if (buffered > this.#streams.maxBuffered) carrier.abort();
    else if (buffered > HIGH_WATER) return (this.#slow ??= this.#drained(carrier));
    return undefined;
  }

  #drained(carrier: Carrier): Promise<void> {
    return new Promise((resolve) =>
      carrier.drained(() => {
        this.#slow = undefined;
        resolve();
      }),
    );
  }

  /** No more will be sent. */
  end(): void {
    this.#ended = true;
    if (this.#carrier) this.#finish();
  }

  /** Ends the connection and not the stream. False where the client could not come back. */
  poll(retry: number = this.#streams.retry): boolean {
    if (!this.#carrier || this.#ended || !this.#resumable?.primed) return false;
    this.#carrier.write(retryText(retry));
    this.#finish();
    return true;
  }

  /** Has been silent for long. */
  due(): void {
    this.#carrier?.write(COMMENT);
  }

  #connect(carrier: Carrier): boolean {
    if (this.#carrier) this.#finish();
    if (!this.#streams.take()) return false;
    this.#carrier = carrier;
    carrier.begin({ ...STREAM_HEADERS });
    this.#streams.silent.add(this);
    carrier.onGone(() => {
      if (this.#carrier !== carrier) return;
      this.#disconnect();
      this.#owner.left();
    });
    return true;
  }

  #finish(): void {
    const carrier = this.#carrier;
    this.#disconnect();
    carrier?.end();
  }

  #disconnect(): void {
    this.#carrier = undefined;
    this.#streams.silent.delete(this);
    this.#streams.release();
  }

  #store({ key }: Resumable, data: string): void {
    try {
      const kept = this.#streams.store?.append(key, { number: ++this.#number, data });
      kept?.catch((error: unknown) => this.#streams.failed(error));
    } catch (error) {
      this.#streams.failed(error);
    }
  }

  #id(number: number): string {
    return `${this.#resumable!.name}-${number}`;
  }
}
