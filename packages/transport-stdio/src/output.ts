import { type Batch, ClosedError, type Message, stringify } from "@x/jsonrpc";
import type { Framing } from "@x/jsonrpc/framing";
import { bounded } from "./bounded.ts";
import { answersIn, requestsIn } from "./counts.ts";
import { type Deferred, deferred, quiet } from "./deferred.ts";
import type { NodeWritable } from "./node-streams.ts";

export interface OutputEvents {
  /** The stream broke; nothing can be sent any more. */
  failed(error: Error): void;
  /** Too many answers wait for the other side to read them (true), or it has caught up (false). Either may be repeated. */
  choked(choked: boolean): void;
}

/** Text of one turn is handed to the stream at the latest when it has this many characters. */
const TURN = 65_536;

/**
 * How many times more answers may wait while this side's own requests do. Their answers come the way that would be
 * stopped: two sides that stop reading each other's would wait for ever.
 */
const PATIENCE = 8;

/** What an answer that waits costs beside its text, as characters: its promise, its place in the stream's buffer. */
const COST = 1024;

/**
 * The writing side of a connection. Messages of one turn go into one write: with 64 calls in flight a call costs both
 * ends 8 to 10 µs of CPU instead of 14 to 17. `process.nextTick` runs behind all microtasks of the turn: answers of
 * handlers that await several times come 63 to a write, where `queueMicrotask` gets 5 to 9. `setImmediate` makes a
 * single call 5 % dearer.
 */
export class Output {
  readonly #framing: Framing;
  readonly #maxQueue: number;
  readonly #events: OutputEvents;
  #stream: NodeWritable | undefined;
  /** What was sent since the last write, and how long it is. */
  #frames: (string | Uint8Array)[] = [];
  #size = 0;
  /** Set while the stream is over its high-water mark, and when it has broken while somebody sent. */
  #drained: Deferred | undefined;
  /** Characters of answers that were sent meanwhile, with what they cost. */
  #answers = 0;
  /** Requests that have gone out, less the answers that have come in. Those that never come make it too large. */
  #asked = 0;
  /** Why nothing can be sent. */
  #failure: Error | undefined;
  /** Set at the end of the connection: one error for all that is sent from then on, since a peer reports each once. */
  #unsent: Error | undefined;

  constructor(framing: Framing, maxQueue: number, events: OutputEvents) {
    this.#framing = framing;
    this.#maxQueue = maxQueue;
    this.#events = events;
  }

  /** What was sent before waits for this. */
  attach(stream: NodeWritable): void {
    this.#stream = stream;
    stream.on("drain", () => this.#drain());
    // For good: an error without a listener ends the process, and a socket can have one long after its end.
    stream.on("error", this.#broke as (error: unknown) => void);
    stream.on("close", () => this.#broke(new Error("The stream was closed")));
    if (stream.writable === false) this.#broke(new Error("The stream can't be written to"));
    this.#flush();
  }

  /**
   * Throws at once for what JSON can't carry. A promise while the other side is slow; it settles when more may be sent.
   * When the stream has broken it rejects at the end of the connection, which knows better why.
   */
  send(message: Message | Batch): Promise<void> | undefined {
    const text = stringify(message);
    if (this.#unsent) return quiet(Promise.reject(this.#unsent));
    if (this.#failure) return (this.#drained ??= deferred()).promise;
    this.#add(this.#framing.encode(text));
    this.#asked += requestsIn(message);
    if (!this.#drained) return undefined;
    if (answersIn(message) > 0) this.#owe(text.length);
    return this.#drained.promise;
  }

  /** Takes note of the answers in what has arrived. */
  heard(message: unknown): void {
    this.#asked = Math.max(0, this.#asked - answersIn(message));
  }

  /** Hands over what was sent and ends the stream. Settles when it has gone out, at the latest after `ms`. */
  async end(ms: number): Promise<void> {
    const failure = this.#failure;
    const stream = this.#stream;
    this.#flush();
    // No stream says "drain" once it has ended: what still comes is read, so that its end is seen.
    this.#events.choked(false);
    this.#unsent ??= lost(failure ?? new ClosedError("The connection is closed", { sent: false }), false);
    if (failure) {
      // A moment later: whoever waits for an answer is to hear first that the connection has ended.
      setImmediate(() => {
        this.#drained?.reject(lost(failure, true));
        stream?.destroy();
      });
    }
    if (failure || !stream) return;
    await new Promise<void>((resolve, reject) => {
      const giveUp = setTimeout(() => {
        stream.destroy();
        reject(new Error(`The other side did not take what was sent to it within ${ms} ms`));
      }, bounded(ms));
      stream.end(() => {
        clearTimeout(giveUp);
        resolve();
      });
    });
    this.#drained?.resolve();
  }

  /** Nothing can be sent any more, and this is why, whatever the stream itself has said. */
  fail(reason: Error): void {
    this.#failure = reason;
    this.#frames = [];
    this.#events.choked(false);
  }

  /** Only the first reason counts. A stream that was destroyed before says so only when it is written to. */
  readonly #broke = (error?: Error | null): void => {
    if (!error || this.#failure) return;
    if (this.#unsent) return this.#drained?.reject(lost(error, true));
    this.fail(error);
    this.#events.failed(error);
  };

  #add(frame: string | Uint8Array): void {
    const frames = this.#frames;
    // A text that grows is as cheap as many that are joined at the end, and cheaper where it stays the only one.
    if (typeof frame === "string" && typeof frames[0] === "string" && frames.length === 1) frames[0] += frame;
    else if (frames.push(frame) === 1) process.nextTick(this.#flush);
    this.#size += frame.length;
    if (this.#size >= TURN) this.#flush();
  }

  readonly #flush = (): void => {
    const frames = this.#frames;
    if (!this.#stream || frames[0] === undefined) return;
    this.#frames = [];
    this.#size = 0;
    const chunk = frames.length === 1 ? frames[0] : Buffer.concat(frames.map((frame) => Buffer.from(frame)));
    if (!this.#stream.write(chunk, this.#broke)) this.#drained ??= deferred();
  };

  #owe(length: number): void {
    this.#answers += length + COST;
    if (this.#answers > this.#maxQueue * (this.#asked > 0 ? PATIENCE : 1)) this.#events.choked(true);
  }

  #drain(): void {
    const drained = this.#drained;
    this.#drained = undefined;
    this.#answers = 0;
    this.#events.choked(false);
    drained?.resolve();
  }
}

const lost = (cause: Error, sent: boolean): Error =>
  cause instanceof ClosedError ? cause : new ClosedError(cause.message, { cause, sent });
