import type { Report } from "@x/jsonrpc";
import { type EventStore, memoryEvents } from "./events.ts";
import { KEEP_ALIVE, MAX_BUFFERED, MAX_STREAMS, RETRY, type StreamableOptions } from "./options.ts";
import { Watch, type Watched } from "./watch.ts";

/** What all event streams of one endpoint have in common. */
export class Streams {
  /** Streams, and answers that may become one, that have to show a sign of life. */
  readonly silent: Watch<Watched>;
  readonly store: EventStore | undefined;
  readonly retry: number;
  readonly maxBuffered: number;
  readonly #max: number;
  readonly #onError: Report | undefined;
  #open = 0;

  constructor(options: StreamableOptions) {
    this.silent = new Watch(options.keepAlive ?? KEEP_ALIVE);
    this.store = options.events === false ? undefined : (options.events ?? memoryEvents());
    this.retry = options.retry ?? RETRY;
    this.maxBuffered = options.maxBuffered ?? MAX_BUFFERED;
    this.#max = options.maxStreams ?? MAX_STREAMS;
    this.#onError = options.onError;
  }

  /** False when there are too many. */
  take(): boolean {
    if (this.#open >= this.#max) return false;
    this.#open++;
    return true;
  }

  release(): void {
    this.#open--;
  }

  /** Hears of what went wrong with a store; the stream goes on. */
  failed(error: unknown): void {
    this.#onError?.(error, "transport");
  }
}
