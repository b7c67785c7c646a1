import { ClosedError } from "../errors.ts";
import { Invalid } from "../invalid.ts";
import type { Batch, Id, Message, Request } from "../message.ts";
import type { Receive, Transport } from "../transport.ts";
import type { Entry } from "./record.ts";
import { same } from "./same.ts";

/** The other side of a recorded connection, for a peer to be opened on. */
export interface Replay extends Transport {
  /** Resolves when the whole recording has been played; rejects when the peer did something else, or closed too early. */
  readonly finished: Promise<void>;
}

/**
 * Plays a recording's other side: what arrived then arrives again as soon as everything that was sent before it has
 * been sent again, in any order. Requests may have other ids than when they were recorded. Whatever the recording does
 * not have next breaks the connection, with an error that shows both.
 */
export function replay(recording: string): Replay {
  const lines = recording.split("\n").filter((line) => line.trim() !== "");
  return new Player(lines.map((line) => JSON.parse(line) as Entry));
}

class Player implements Replay {
  readonly finished: Promise<void>;
  readonly #entries: readonly Entry[];
  #next = 0;
  /** Sent in the recording before the entry that is next. */
  #expected: unknown[] = [];
  /** The recording's id of each request that was sent again. */
  readonly #ids = new Map<Id, Id>();
  #scheduled = false;
  #receive: Receive | undefined;
  #failure: Error | undefined;
  readonly #ended: Promise<void>;
  #end!: () => void;
  #break!: (reason: unknown) => void;
  #finish!: () => void;
  #fail!: (reason: unknown) => void;

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
    this.finished = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#break = reject;
    });
    for (const promise of [this.finished, this.#ended]) promise.catch(() => {});
    this.#expect();
  }

  open(receive: Receive): Promise<void> {
    this.#receive = receive;
    this.#schedule();
    return this.#ended;
  }

  send(message: Message | Batch): void {
    if (this.#failure) throw this.#failure;
    const sent: unknown = JSON.parse(JSON.stringify(message));
    const at = this.#expected.findIndex((expected) => same(withoutIds(expected), withoutIds(sent)));
    if (at === -1) throw this.#refuse(sent);
    for (const [index, { id, method }] of list(this.#expected[at]).entries())
      if (method !== undefined && id !== undefined) this.#ids.set(id, (list(sent)[index] as Request).id);
    this.#expected.splice(at, 1);
    this.#schedule();
  }

  close(): void {
    const left = this.#entries.slice(this.#next).filter(({ ended }) => ended === undefined).length;
    const missing = this.#expected.length;
    if (left + missing > 0) this.#fail(new Error(`Closed with ${left + missing} messages of the recording to go`));
    this.#finish();
    this.#failure ??= new ClosedError("The connection is closed", { sent: false });
    this.#end();
  }

  #refuse(sent: unknown): Error {
    const next = this.#expected.length > 0 ? `expected ${this.#expected.map(show).join(" or ")}` : "expected nothing";
    const error = new Error(`Not in the recording: ${next}, but this was sent: ${show(sent)}`);
    this.#failure = error;
    this.#fail(error);
    this.#break(error);
    return error;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#play());
  }

  #play(): void {
    this.#scheduled = false;
    while (this.#receive && !this.#failure && this.#expected.length === 0) {
      const entry = this.#entries[this.#next++];
      this.#expect();
      if (!entry) return this.#finish();
      this.#arrive(entry);
    }
  }

  /** What comes next if it was sent. */
  #expect(): void {
    for (let entry = this.#entries[this.#next]; entry?.direction === "out"; entry = this.#entries[++this.#next])
      this.#expected.push(entry.message);
  }

  #arrive({ message, invalid, ended }: Entry): void {
    if (invalid) this.#receive?.(new Invalid(invalid.error.message, { ...invalid, code: invalid.error.code }));
    else if (ended === true) this.#end();
    else if (ended !== undefined) this.#break(new Error(ended));
    else
      this.#receive?.(Array.isArray(message) ? message.map((each) => this.#answered(each)) : this.#answered(message));
  }

  /** A response gets the id that its request has this time. */
  #answered(message: unknown): unknown {
    const { id, method } = message as Partial<Request>;
    if (method !== undefined || id === undefined || !this.#ids.has(id)) return message;
    return { ...(message as object), id: this.#ids.get(id) };
  }
}

const show = (message: unknown): string => JSON.stringify(message);

const list = (message: unknown): readonly Partial<Request>[] =>
  (Array.isArray(message) ? message : [message]) as readonly Partial<Request>[];

/** Only requests lose their id: a response without it would answer anything. */
const withoutIds = (message: unknown): unknown =>
  Array.isArray(message) ? message.map(withoutId) : withoutId(message);

function withoutId(message: unknown): unknown {
  const { id, method } = message as Partial<Request>;
  return method === undefined || id === undefined ? message : { ...(message as object), id: true };
}
