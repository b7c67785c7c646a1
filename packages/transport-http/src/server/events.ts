/** One event of a stream, as it was sent. */
export interface StoredEvent {
  /** Counts from 1 within its stream. */
  readonly number: number;
  /** A JSON-RPC message or batch as text; empty for the event that only gives an id. */
  readonly data: string;
}

/**
 * Keeps the events of streams, so that a client that was cut off gets what it has missed. A shared database can
 * implement it. Stream names are unguessable and unique over all servers.
 */
export interface EventStore {
  /** Keeps an event. It is on its way to the client when this is called. */
  append(stream: string, event: StoredEvent): void | Promise<void>;
  /** The events after `number`, oldest first; undefined where some of them are not kept any more. */
  after(
    stream: string,
    number: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>;
  /** Nobody will ask for this stream any more. */
  delete(stream: string): void | Promise<void>;
}

export interface MemoryEventsOptions {
  /** Events of each stream that are kept at least (default 1,000); it is never twice as many. */
  readonly perStream?: number | undefined;
  /** Characters kept of all streams together (default 64 Mi); the streams that were silent longest go first. */
  readonly total?: number | undefined;
}

/** Keeps events in this process's memory, so many and no more. */
export function memoryEvents({ perStream = 1000, total = 64 * 1024 * 1024 }: MemoryEventsOptions = {}): EventStore {
  return new MemoryEvents(perStream, total);
}

interface Kept {
  readonly events: StoredEvent[];
  size: number;
}

class MemoryEvents implements EventStore {
  /** In the order of their last event. */
  readonly #streams = new Map<string, Kept>();
  readonly #perStream: number;
  readonly #total: number;
  #size = 0;

  constructor(perStream: number, total: number) {
    this.#perStream = perStream;
    this.#total = total;
  }

  append(stream: string, event: StoredEvent): void {
    const kept = this.#streams.get(stream) ?? { events: [], size: 0 };
    this.#streams.delete(stream);
    this.#streams.set(stream, kept);
    kept.events.push(event);
    this.#grow(kept, event.data.length);
    // Twice as many before the older half is cut off: taking away one by one moves all the others each time.
    if (kept.events.length >= 2 * this.#perStream)
      for (const { data } of kept.events.splice(0, this.#perStream)) this.#grow(kept, -data.length);
    for (const [oldest] of this.#streams) {
      if (this.#size <= this.#total) break;
      this.delete(oldest);
    }
  }

  after(stream: string, number: number): readonly StoredEvent[] | undefined {
    const events = this.#streams.get(stream)?.events;
    const first = events?.[0]?.number;
    if (!events || first === undefined || number < first - 1) return undefined;
    return events.slice(number - first + 1);
  }

  delete(stream: string): void {
    this.#size -= this.#streams.get(stream)?.size ?? 0;
    this.#streams.delete(stream);
  }

  #grow(kept: Kept, by: number): void {
    kept.size += by;
    this.#size += by;
  }
}
