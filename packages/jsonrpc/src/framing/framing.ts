import type { Invalid } from "../invalid.ts";

/** A whole message's text, or why there is none where one should be. */
export type Frame = string | Invalid;

/** Takes bytes as they come and gives frames as soon as they are whole. Never throws. */
export interface Decoder {
  /** The chunk is not kept, so that its memory can be used again. */
  push(chunk: Uint8Array): void;
  /** No more bytes will come: gives what is left over. */
  end(): void;
}

export interface DecoderOptions {
  /**
   * Longest message in bytes (default 64 MiB, at most 512 MiB). A longer one is reported and passed over without being
   * kept, and the next arrives.
   */
  readonly maxBytes?: number | undefined;
}

/** How messages are cut out of a stream of bytes. These two members are all that a framing of one's own needs. */
export interface Framing {
  /** A message's text as it goes into the stream. A string stands for its UTF-8 bytes. */
  encode(text: string): string | Uint8Array;
  /** For one stream. `emit` is called with each frame, in order, from within `push` and `end`; it must not throw. */
  decoder(emit: (frame: Frame) => void, options?: DecoderOptions): Decoder;
}

/** 64 MiB. */
export const MAX_BYTES: number = 64 * 1024 * 1024;
