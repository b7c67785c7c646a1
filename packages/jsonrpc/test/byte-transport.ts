import { type Batch, type Message, type Receive, type Transport, parse, stringify } from "@x/jsonrpc";
import type { Decoder, Framing } from "@x/jsonrpc/framing";

/** A transport over bytes whose far end is the test itself: any bytes can arrive, and what is sent can be looked at. */
export class ByteTransport implements Transport {
  readonly #framing: Framing;
  readonly #maxBytes: number | undefined;
  #decoder: Decoder | undefined;
  #take: (text: string) => void = () => {};
  #ended!: () => void;

  constructor(framing: Framing, maxBytes?: number) {
    this.#framing = framing;
    this.#maxBytes = maxBytes;
  }

  open(receive: Receive): Promise<void> {
    this.#decoder = this.#framing.decoder((frame) => receive(typeof frame === "string" ? parse(frame) : frame), {
      maxBytes: this.#maxBytes,
    });
    return new Promise((resolve) => (this.#ended = resolve));
  }

  send(message: Message | Batch): void {
    const bytes = Buffer.from(this.#framing.encode(stringify(message)) as string);
    const decoder = this.#framing.decoder((frame) => this.#take(String(frame)));
    decoder.push(bytes);
    decoder.end();
  }

  close(): void {
    this.#ended();
  }

  /** A message's text arrives, in pieces of so many bytes. */
  arrive(text: string, size?: number): void {
    this.arriveBytes(Buffer.from(this.#framing.encode(text) as string), size);
  }

  arriveBytes(bytes: Uint8Array, size = 7): void {
    for (let at = 0; at < bytes.length; at += size) this.#decoder?.push(bytes.subarray(at, at + size));
  }

  /** Takes the text of each message that is sent. */
  listen(take: (text: string) => void): void {
    this.#take = take;
  }
}
