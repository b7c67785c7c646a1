import { Invalid } from "../invalid.ts";
import type { Framing } from "../framing/framing.ts";
import type { Batch, Message } from "../message.ts";
import type { Transport } from "../transport.ts";
import { parse, stringify } from "../wire.ts";
import { random } from "./random.ts";

export interface FramedOptions {
  /** The same seed cuts the same bytes in the same places (default 1). */
  readonly seed?: number | undefined;
  /** As the decoder's. */
  readonly maxBytes?: number | undefined;
}

const encoder = new TextEncoder();

/**
 * The same transport; what arrives goes through the bytes of a framing first, cut at any byte. A framing of one's own is
 * tested with `framed(memoryPair()[0], framing)` and the transport suite.
 */
export function framed(transport: Transport, framing: Framing, options: FramedOptions = {}): Transport {
  return {
    open(receive) {
      const next = random(options.seed ?? 1);
      const decoder = framing.decoder((frame) => receive(typeof frame === "string" ? parse(frame) : frame), options);
      let arrived: Uint8Array[] = [];
      const push = (): void => {
        const bytes = joined(arrived);
        arrived = [];
        for (let start = 0; start < bytes.length; ) {
          const end = start + 1 + Math.floor(next() * Math.max(16, bytes.length / 100));
          const chunk = bytes.slice(start, end);
          decoder.push(chunk);
          // As a stream does that uses its memory again.
          chunk.fill(0);
          start = end;
        }
      };
      const ended = (): void => {
        push();
        decoder.end();
      };
      return transport
        .open((message) => {
          if (message instanceof Invalid) return receive(message);
          const frame = framing.encode(stringify(message as Message | Batch));
          // Those of one turn are cut as one, so that a chunk can hold the end of one and the beginning of the next.
          if (arrived.length === 0) queueMicrotask(push);
          arrived.push(typeof frame === "string" ? encoder.encode(frame) : frame);
        })
        .finally(ended);
    },
    send: (message, sendOptions) => transport.send(message, sendOptions),
    close: () => transport.close(),
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
