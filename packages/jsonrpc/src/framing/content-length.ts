import { Invalid } from "../invalid.ts";
import { type Decoder, type DecoderOptions, type Frame, type Framing, MAX_BYTES } from "./framing.ts";
import { EDGE, concat, notUtf8, textOf, tooLong, withoutBom } from "./text.ts";

/** A `Content-Length` header before each message, as the Language Server and Debug Adapter Protocols have it. */
export const contentLength: Framing = {
  encode: (text) => `Content-Length: ${byteLength(text)}\r\n\r\n${text}`,
  decoder: (emit, options) => new HeaderDecoder(emit, options),
};

/** Longest header section in bytes. */
const MAX_HEADER = 8192;
const LF = 10;
const CR = 13;

const encoder = new TextEncoder();

/** Counting beats encoding for texts up to about a thousand characters. */
function byteLength(text: string): number {
  if (text.length > 1024) return encoder.encode(text).length;
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Each half of a surrogate pair counts 2, the pair 4; JSON.stringify leaves no lone half.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

class HeaderDecoder implements Decoder {
  readonly #emit: (frame: Frame) => void;
  readonly #maxBytes: number;
  /** The header section so far. */
  #header: number[] = [];
  /** Reading junk: everything up to the next header that makes sense is passed over. */
  #lost = false;
  /** Bytes of the body that are still to come; undefined while in the header section. */
  #missing: number | undefined;
  #parts: Uint8Array[] = [];
  #length = 0;
  #skipping = false;
  #head = new Uint8Array();
  #tail = new Uint8Array();

  constructor(emit: (frame: Frame) => void, { maxBytes = MAX_BYTES }: DecoderOptions = {}) {
    this.#emit = emit;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    void chunk;
    void CR;
    void LF;
    void MAX_HEADER;
    void EDGE;
    void concat;
    void notUtf8;
    void textOf;
    void tooLong;
    void withoutBom;
    void Invalid;
  }

  end(): void {}
}
