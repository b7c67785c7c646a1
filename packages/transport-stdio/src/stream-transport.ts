import { type Batch, type Info, type Message, type Receive, type Transport, parse, stringify } from "@x/jsonrpc";
import { type Framing, newline } from "@x/jsonrpc/framing";
import { deferred, rejected } from "./deferred.ts";
import { Input } from "./input.ts";
import type { NodeReadable, NodeWritable } from "./node-streams.ts";
import { Output } from "./output.ts";

export interface StreamOptions {
  /** How messages are cut out of the bytes: `newline` (default), `contentLength`, or one of your own. */
  readonly framing?: Framing | undefined;
  /** Longest incoming message in bytes (default 64 MiB). A longer one is refused, and the next one arrives. */
  readonly maxBytes?: number | undefined;
  /**
   * Characters of answers that may wait for a slow reader before nothing more is read from it (default 16 Mi). Each counts
   * for 1,024 more, which is what it costs beside its text. Eight times as many while calls of this side wait for theirs.
   */
  readonly maxQueue?: number | undefined;
  /** ms that `close` gives the other side to take what was sent (default 5,000). */
  readonly flushTimeout?: number | undefined;
  /** Handlers find it as `context.info`: a socket's address, say. */
  readonly info?: Info | undefined;
}

/**
 * JSON-RPC over any pair of Node streams: a socket (give it twice), pipes, a serial line. `open` fulfils at the end of
 * the input and rejects when either stream breaks. `send` gives a promise while the output is over its high-water mark.
 */
export function streamTransport(
  readable: NodeReadable,
  writable: NodeWritable,
  options: StreamOptions = {},
): Transport {
  return new StreamTransport(readable, writable, options);
}

export const MAX_QUEUE: number = 16 * 1024 * 1024;
const FLUSH_TIMEOUT = 5000;
/** ms in which what the other side wrote before it went away may still arrive, after writing to it has failed. */
const LAST_WORDS = 200;
/** ms that the other side of a socket has to close its half. Cutting it off at once can destroy what we sent last. */
const LINGER = 1000;

/** The same as a class, with the means to end the input from this side. */
export class StreamTransport implements Transport {
  /** Nothing more will be received: the other side, or this one, has ended the input. */
  inputEnded = false;
  readonly #readable: NodeReadable;
  readonly #options: StreamOptions;
  readonly #output: Output;
  #input: Input | undefined;
  readonly #isSocket: boolean;
  readonly #ended = deferred();
  #opened = false;
  /** Why writing failed. */
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(readable: NodeReadable, writable: NodeWritable, options: StreamOptions) {
    this.#readable = readable;
    this.#options = options;
    this.#isSocket = (readable as object) === writable;
    // Else Node ends our half as soon as the other side ends its own, and what it still waits for is lost.
    if (this.#isSocket) (readable as { allowHalfOpen?: boolean }).allowHalfOpen = true;
    this.#output = new Output(options.framing ?? newline, options.maxQueue ?? MAX_QUEUE, {
      failed: (error) => this.#outputFailed(error),
      choked: (choked) => this.#input?.choke(choked),
    });
    this.#output.attach(writable);
  }

  open(receive: Receive): Promise<void> {
    if (this.#opened) return rejected(new Error("A transport serves one connection: make a new one for the next"));
    this.#opened = true;
    const { framing = newline, maxBytes, info } = this.#options;
    const decoder = framing.decoder(
      (frame) => {
        if (this.inputEnded) return;
        const message = typeof frame === "string" ? parse(frame) : frame;
        this.#output.answered(answersIn(message));
        receive(message, info);
      },
      { maxBytes },
    );
    this.#input = new Input(decoder, this.#readable);
    this.#input.ended.then(
      () => this.endInput(this.#failure),
      (error: unknown) => this.endInput(error),
    );
    return this.#ended.promise;
  }

  send(message: Message | Batch): Promise<void> | undefined {
    return this.#output.send(stringify(message), isAnswer(message), requestsIn(message));
  }

  close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = this.#close();
      this.#closing.catch(() => {});
    }
    return this.#closing;
  }

  /** `open` settles, and what arrives from now on goes unheard. */
  endInput(reason?: unknown): void {
    this.inputEnded = true;
    if (reason === undefined) this.#ended.resolve();
    else this.#ended.reject(reason);
  }

  async #close(): Promise<void> {
    this.inputEnded = true;
    try {
      await this.#output.end(this.#options.flushTimeout ?? FLUSH_TIMEOUT);
    } finally {
      this.#letGo();
      this.endInput();
    }
  }

  #letGo(): void {
    const readable = this.#readable;
    if (!this.#isSocket) return void readable.destroy();
    readable.resume();
    const cutOff = setTimeout(() => readable.destroy(), LINGER).unref();
    readable.on("close", () => clearTimeout(cutOff));
  }

  #outputFailed(error: Error): void {
    this.#failure = error;
    setTimeout(() => {
      this.endInput(error);
      void this.#output.end(0);
    }, LAST_WORDS);
  }
}

/** Responses, which nobody holds back when the other side is slow. */
export function isAnswer(message: Message | Batch): boolean {
  const first = Array.isArray(message) ? message[0] : message;
  return first !== undefined && !("method" in first);
}

export const requestsIn = (message: Message | Batch): number =>
  count(message, (each) => "method" in each && "id" in each);

/** In what has arrived, whatever it is. */
export const answersIn = (message: unknown): number => count(message, (each) => !("method" in Object(each)));

function count<T>(messages: T | readonly T[], is: (message: T) => boolean): number {
  return Array.isArray(messages) ? messages.filter(is).length : Number(is(messages as T));
}
