import type { Decoder } from "@x/jsonrpc/framing";
import type { NodeReadable } from "./node-streams.ts";

/** Bytes that are decoded without a look at the clock: room for a hundred calls, and less where they take long. */
const WHOLE = 16_384;
const SLICE = 4096;

/** ms after which everything else in this process gets its turn. */
const TURN = 10;

const NOTHING = new Uint8Array();

/**
 * Feeds a stream to a decoder, a turn at a time: Node reads up to 2 MiB from a socket before it looks at anything else,
 * and of the worst that fits in there (lines of one character) each costs as much as a call.
 */
export class Input {
  /** Set by everything that is decoded; who wants to know whether more comes resets it. */
  moved = false;
  readonly #decoder: Decoder;
  readonly #stream: NodeReadable;
  readonly #ended: (reason?: Error) => void;
  /** What was read and not decoded yet. */
  #rest: Uint8Array = NOTHING;
  #slice = WHOLE;
  /** Set while it decodes, and while it waits for its next turn. */
  #busy = false;
  #choked = false;
  /** A stream that is ending has ended, though not all that it gave may have been decoded. */
  #state: "open" | "ending" | "over" = "open";

  /** `ended` is called once: at the stream's end, or with the reason when it breaks or is destroyed before. */
  constructor(decoder: Decoder, stream: NodeReadable, ended: (reason?: Error) => void) {
    this.#decoder = decoder;
    this.#stream = stream;
    this.#ended = ended;
    stream.on("data", (chunk) => {
      // A stream whose encoding somebody has set gives strings.
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Uint8Array);
      this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
      this.#goOn();
    });
    stream.on("end", () => this.#end());
    stream.on("error", (error) => this.#cut(error as Error));
    stream.on("close", () => this.#cut());
    if (stream.readableEnded) this.#end();
    else if (stream.destroyed) this.#cut();
    // One that was paused by hand waits for that.
    else stream.resume();
  }

  /** Stops reading (true), or goes on. */
  choke(choked: boolean): void {
    this.#choked = choked;
    this.#goOn();
  }

  #goOn(): void {
    if (this.#busy) return;
    this.#busy = true;
    const late = performance.now() + TURN;
    while (this.#rest.length > 0 && !this.#choked) {
      const bytes = this.#rest;
      const size = this.#slice;
      this.moved = true;
      this.#rest = bytes.length > size ? bytes.subarray(size) : NOTHING;
      this.#decoder.push(bytes.length > size ? bytes.subarray(0, size) : bytes);
      if (performance.now() > late) return this.#wait();
      this.#slice = Math.min(2 * size, WHOLE);
    }
    this.#busy = false;
    if (this.#choked) this.#stream.pause();
    else this.#stream.resume();
    if (this.#state !== "ending" || this.#rest.length > 0) return;
    this.#state = "over";
    this.#decoder.end();
    this.#ended();
  }

  #wait(): void {
    this.#slice = SLICE;
    this.#stream.pause();
    setImmediate(() => {
      this.#busy = false;
      this.#goOn();
    });
  }

  #end(): void {
    if (this.#state !== "open") return;
    this.#state = "ending";
    this.#goOn();
  }

  /** What was read before the stream broke has arrived. One that has ended has nothing left that could be lost. */
  #cut(reason = new Error("The stream was closed before its end")): void {
    if (this.#state !== "open") return;
    this.#state = "over";
    this.#decoder.push(this.#rest);
    this.#rest = NOTHING;
    this.#ended(reason);
  }
}
