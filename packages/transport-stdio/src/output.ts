import { ClosedError } from "@x/jsonrpc";
import type { Framing } from "@x/jsonrpc/framing";
import { bounded } from "./bounded.ts";
import { type Deferred, deferred, rejected } from "./deferred.ts";
import type { NodeWritable } from "./node-streams.ts";

export interface OutputEvents {
  /** The stream broke; nothing can be sent any more. */
  failed(error: Error): void;
  /** Too many answers wait for the other side to read them (true), or it has caught up (false). */
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
  /** What was sent since the last write: what a framing of bytes gave, and behind it text. */
  #bytes: Uint8Array[] = [];
  #text = "";
  #scheduled = false;
  /** Set while the stream is over its high-water mark. */
  #drained: Deferred | undefined;
  /** Characters of answers since then, with what they cost. */
  #answers = 0;
  #choked = false;
  /** Requests that have gone out, less the answers that have come in. Those that never come make it too large. */
  #asked = 0;
  /** Why nothing can be sent. */
  #over: Error | undefined;
  /** The connection has ended, and all who wait have been told. */
  #ended = false;
  /** One error for all that is sent after the end: a peer reports it once. */
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
    stream.on("error", (error) => this.#broke(error as Error));
    stream.on("close", () => this.#broke(new Error("The stream was closed")));
    if (stream.writable === false) this.#broke(new Error("The stream can't be written to"));
    this.#flush();
  }

  /**
   * A promise while the other side is slow; it settles when more may be sent. When the stream has broken it rejects at
   * the end of the connection, which knows better why. `asked` is the number of requests in the text; 0 for answers.
   */
  send(text: string, answer: boolean, asked: number): Promise<void> | undefined {
    if (this.#ended) return rejected((this.#unsent ??= lost(this.#over, false)));
    if (this.#over) return (this.#drained ??= deferred()).promise;
    const frame = this.#framing.encode(text);
    this.#asked += asked;
    if (typeof frame === "string") this.#text += frame;
    else this.#bytes.push(Buffer.from(this.#text), frame);
    if (typeof frame !== "string") this.#text = "";
    if (frame.length >= TURN || this.#text.length >= TURN) this.#flush();
    else if (!this.#scheduled) this.#schedule();
    if (!this.#drained) return undefined;
    if (answer) this.#owe(text.length);
    return this.#drained.promise;
  }

  /** So many answers have come in. */
  answered(count: number): void {
    this.#asked = Math.max(0, this.#asked - count);
  }

  /** Hands over what was sent and ends the stream. Settles when it has gone out, at the latest after `ms`. */
  async end(ms: number): Promise<void> {
    const broken = this.#over;
    if (!broken) this.#flush();
    const stream = this.#stream;
    this.#over ??= new ClosedError("The connection is closed", { sent: false });
    this.#ended = true;
    // A moment later: whoever waits for an answer is to hear first that the connection has ended.
    if (broken) setImmediate(() => this.#drained?.reject(lost(broken, true)));
    if (broken || !stream) return;
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
    this.#over = reason;
    this.#text = "";
    this.#bytes = [];
  }

  /** Of what the stream says only the first counts. */
  #broke(error: Error): void {
    if (this.#ended) this.#drained?.reject(lost(error, true));
    if (this.#over) return;
    this.fail(error);
    this.#events.failed(error);
  }

  #schedule(): void {
    this.#scheduled = true;
    process.nextTick(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const stream = this.#stream;
    if (!stream || (this.#text === "" && this.#bytes.length === 0)) return;
    const chunk = this.#bytes.length === 0 ? this.#text : Buffer.concat([...this.#bytes, Buffer.from(this.#text)]);
    this.#text = "";
    this.#bytes = [];
    if (!stream.write(chunk, this.#written)) this.#drained ??= deferred();
  }

  /** A stream that was destroyed before emits no error: it tells this callback alone. */
  readonly #written = (error?: Error | null): void => {
    if (error) this.#broke(error);
  };

  #owe(length: number): void {
    this.#answers += length + COST;
    if (this.#choked || this.#answers <= this.#maxQueue * (this.#asked > 0 ? PATIENCE : 1)) return;
    this.#choked = true;
    this.#events.choked(true);
  }

  #drain(): void {
    const drained = this.#drained;
    this.#drained = undefined;
    this.#answers = 0;
    if (this.#choked) {
      this.#choked = false;
      this.#events.choked(false);
    }
    drained?.resolve();
  }
}

const lost = (cause: Error | undefined, sent: boolean): Error =>
  cause instanceof ClosedError ? cause : new ClosedError(cause?.message ?? "", { cause, sent });
