import type { Decoder } from "@x/jsonrpc/framing";
import { type Deferred, deferred } from "./deferred.ts";
import type { NodeReadable } from "./node-streams.ts";

/** Bytes that are decoded without a look at the clock: as many as Node reads at once, or, where they take long, these. */
const WHOLE = 65_536;
const SLICE = 4096;

/** ms after which everything else in this process gets its turn. */
const TURN = 10;

const NOTHING = new Uint8Array();

/**
 * Feeds a stream to a decoder, a turn at a time: Node reads up to 2 MiB from a socket before it looks at anything else,
 * and of the worst that fits in there (lines of one character) each costs as much as a call.
 */
export class Input {
  readonly #decoder: Decoder;
  readonly #stream: NodeReadable;
  readonly #ended: Deferred = deferred();
  /** What was read and not decoded yet. */
  #rest: Uint8Array = NOTHING;
  #slice = WHOLE;
  #waiting = false;
  #choked = false;
  #moved = false;
  /** The stream has ended or broken, though not all that it gave may have been decoded. */
  #over = false;

  constructor(decoder: Decoder, stream: NodeReadable) {
    this.#decoder = decoder;
    this.#stream = stream;
    stream.on("data", (chunk) => {
      // A stream whose encoding somebody has set gives strings.
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Uint8Array);
      this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
      if (!this.#waiting) this.#decode();
    });
    stream.on("end", () => {
      this.#over = true;
      if (!this.#waiting) this.#decode();
    });
    stream.on("error", (error) => this.#cut(error));
    stream.on("close", () => this.#cut(new Error("The stream was closed before its end")));
    if (stream.readableEnded) this.#ended.resolve();
    else if (stream.destroyed) this.#cut(new Error("The stream was closed before its end"));
  }

  /** Resolves at the stream's end; rejects when it breaks or is destroyed before. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Whether anything was decoded since this was asked last. */
  get moved(): boolean {
    const moved = this.#moved;
    this.#moved = false;
    return moved;
  }

  /** Stops reading (true), or goes on. */
  choke(choked: boolean): void {
    this.#choked = choked;
    if (choked) this.#stream.pause();
    else this.#goOn();
  }

  #decode(): void {
    const late = performance.now() + TURN;
    while (this.#rest.length > 0 && !this.#choked) {
      const bytes = this.#rest;
      const size = this.#slice;
      this.#moved = true;
      this.#rest = bytes.length > size ? bytes.subarray(size) : NOTHING;
      this.#decoder.push(bytes.length > size ? bytes.subarray(0, size) : bytes);
      if (performance.now() > late) return this.#pause();
      this.#slice = Math.min(2 * size, WHOLE);
    }
    if (!this.#over || this.#rest.length > 0) return;
    this.#decoder.end();
    this.#ended.resolve();
  }

  #pause(): void {
    this.#slice = SLICE;
    this.#waiting = true;
    this.#stream.pause();
    setImmediate(() => {
      this.#waiting = false;
      this.#goOn();
    });
  }

  #goOn(): void {
    if (!this.#waiting) this.#decode();
    if (!this.#waiting && !this.#choked) this.#stream.resume();
  }

  /** What was read before the stream broke has arrived. A stream that is over has nothing left that could be lost. */
  #cut(reason: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#decoder.push(this.#rest);
    this.#rest = NOTHING;
    this.#ended.reject(reason);
  }
}
