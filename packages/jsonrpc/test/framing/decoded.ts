import type { Invalid } from "@x/jsonrpc";
import type { DecoderOptions, Frame, Framing } from "@x/jsonrpc/framing";

/** A frame as plain data: the text, or what an `Invalid` says. */
export type Seen = string | { readonly code: number; readonly message: string; readonly id: unknown };

const seen = (frame: Frame): Seen =>
  typeof frame === "string" ? frame : { code: frame.error.code, message: frame.error.message, id: frame.id };

export const bytesOf = (...parts: (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

/** All that a fresh decoder makes of the chunks. Each chunk is overwritten as soon as it was pushed. */
export function decodeChunks(framing: Framing, chunks: Iterable<Uint8Array>, options?: DecoderOptions): Seen[] {
  const frames: Seen[] = [];
  const decoder = framing.decoder((frame) => frames.push(seen(frame)), options);
  for (const chunk of chunks) {
    const lent = Buffer.from(chunk);
    decoder.push(lent);
    lent.fill(0x5b);
  }
  decoder.end();
  return frames;
}

export const decode = (framing: Framing, bytes: Uint8Array, options?: DecoderOptions): Seen[] =>
  decodeChunks(framing, [bytes], options);

/** The bytes in chunks of one size. */
export function* chunked(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Every way to cut the bytes in two, and one byte at a time. */
export function* cuts(bytes: Uint8Array): Generator<readonly Uint8Array[]> {
  for (let at = 0; at <= bytes.length; at++) yield [bytes.subarray(0, at), bytes.subarray(at)];
  yield [...chunked(bytes, 1)];
}

/** The invalid frames that a decoder gives for some bytes, as they are. */
export function invalidIn(framing: Framing, bytes: Uint8Array, options?: DecoderOptions): Invalid[] {
  const found: Invalid[] = [];
  const decoder = framing.decoder((frame) => typeof frame === "string" || found.push(frame), options);
  decoder.push(bytes);
  decoder.end();
  return found;
}
