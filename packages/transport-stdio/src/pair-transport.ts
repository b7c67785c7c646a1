import { type Batch, type Info, type Message, type Receive, type Transport, parse } from "@x/jsonrpc";
import { type Framing, newline } from "@x/jsonrpc/framing";
import { deferred, quiet } from "./deferred.ts";
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

export const MAX_QUEUE: number = 16 * 1024 * 1024;
const FLUSH_TIMEOUT = 5000;
/** ms in which what the other side wrote before it went away may still arrive, after writing to it has failed. */
const LAST_WORDS = 200;

/** JSON-RPC over two streams, with the means to end the input from this side. */
export class PairTransport implements Transport {
  /** Nothing more will be received: the other side, or this one, has ended the input. */
  inputEnded = false;
  /** Why the input or the output broke, if either did. */
  failure: (Error & { readonly code?: string }) | undefined;
  readonly #readable: NodeReadable;
  readonly #options: StreamOptions;
  readonly #output: Output;
  readonly #ended = deferred();
  #input: Input | undefined;
  #closing: Promise<void> | undefined;

  constructor(readable: NodeReadable, writable: NodeWritable, options: StreamOptions) {
    this.#readable = readable;
    this.#options = options;
    this.#output = new Output(options.framing ?? newline, options.maxQueue ?? MAX_QUEUE, {
      failed: (error) => {
        this.failure = error;
        setTimeout(() => {
          this.endInput();
          void this.#output.end(0);
        }, LAST_WORDS);
      },
      choked: (choked) => this.#input?.choke(choked),
    });
    this.#output.attach(writable);
  }

  open(receive: Receive): Promise<void> {
    if (this.#input)
      return quiet(Promise.reject(new Error("A transport serves one connection: make a new one for the next")));
    const { framing = newline, maxBytes, info } = this.#options;
    const decoder = framing.decoder(
      (frame) => {
        if (this.inputEnded) return;
        const message = typeof frame === "string" ? parse(frame) : frame;
        this.#output.heard(message);
        receive(message, info);
      },
      { maxBytes },
    );
    this.#input = new Input(decoder, this.#readable, (reason) => {
      if (!this.inputEnded) this.failure ??= reason;
      this.endInput();
    });
    return this.#ended.promise;
  }

  send(message: Message | Batch): Promise<void> | undefined {
    return this.#output.send(message);
  }

  close(): Promise<void> {
    this.inputEnded = true;
    return (this.#closing ??= quiet(
      this.#output.end(this.#options.flushTimeout ?? FLUSH_TIMEOUT).finally(() => this.#over()),
    ));
  }

  /** `open` settles, and what arrives from now on goes unheard. */
  endInput(): void {
    this.inputEnded = true;
    if (this.failure === undefined) this.#ended.resolve();
    else this.#ended.reject(this.failure);
  }

  /** What becomes of the input when the output has ended. */
  protected letGo(readable: NodeReadable): void {
    readable.destroy();
  }

  #over(): void {
    this.letGo(this.#readable);
    this.endInput();
  }
}
