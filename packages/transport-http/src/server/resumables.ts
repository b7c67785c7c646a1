import type { EventStream, Resumable } from "./event-stream.ts";
import type { Streams } from "./streams.ts";

/** Streams without a future or a connection that are kept for clients that come back late. */
const MAX_KEPT = 32;

/** The streams of one session that a client can come back for. */
export class Resumables {
  readonly #streams: Streams;
  readonly #session: string;
  readonly #primed: () => boolean;
  /** By name, oldest first. */
  readonly #byName = new Map<string, EventStream>();
  #names = 0;

  constructor(streams: Streams, session: string, primed: () => boolean) {
    this.#streams = streams;
    this.#session = session;
    this.#primed = primed;
  }

  /** Can a client be told to come back? */
  get primed(): boolean {
    return this.#streams.store !== undefined && this.#primed();
  }

  /** For a new stream, of a request or of none; undefined where nothing is kept. */
  next(kind: "request" | "listener"): Resumable | undefined {
    if (!this.#streams.store) return undefined;
    const name = `${kind === "request" ? "r" : "l"}${(++this.#names).toString(36)}`;
    return { name, key: this.#key(name), primed: this.#primed() };
  }

  add(stream: EventStream, { name }: Resumable): void {
    this.#byName.set(name, stream);
    let excess = this.#byName.size - MAX_KEPT;
    for (const [each, { connected, ended }] of this.#byName) {
      if (excess <= 0) break;
      if (connected || !(ended || isListener(each))) continue;
      this.#drop(each);
      excess--;
    }
  }

  /** The stream of an event id, and the event's number in it. */
  find(eventId: string): { readonly stream: EventStream; readonly number: number } | undefined {
    const [, name, number] = EVENT_ID.exec(eventId) ?? [];
    const stream = name === undefined ? undefined : this.#byName.get(name);
    return stream && { stream, number: Number(number) };
  }

  /** Was this the event of a stream that belongs to no request, so that a new one is as good? */
  isListeners(eventId: string): boolean {
    return isListener(eventId);
  }

  /** The session has ended. */
  end(): void {
    for (const [name, stream] of this.#byName) {
      stream.end();
      this.#drop(name);
    }
  }

  #drop(name: string): void {
    this.#byName.delete(name);
    try {
      this.#streams.store?.delete(this.#key(name))?.catch((error: unknown) => this.#streams.failed(error));
    } catch (error) {
      this.#streams.failed(error);
    }
  }

  #key(name: string): string {
    return `${this.#session}/${name}`;
  }
}

const EVENT_ID = /^([lr][\da-z]{1,11})-(\d{1,15})$/;

const isListener = (name: string): boolean => name.startsWith("l");
