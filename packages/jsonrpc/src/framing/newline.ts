import { Body } from "./body.ts";
import { type Decoder, type DecoderOptions, type Frame, type Framing, MAX_BYTES } from "./framing.ts";
import { LF, textOf } from "./text.ts";

/** One message a line, as MCP's stdio transport and NDJSON have it. Empty lines mean nothing. */
export const newline: Framing = {
  encode: (text) => `${text}\n`,
  decoder: (emit, options) => new LineDecoder(emit, options),
};

const BOM = "\ufeff";

class LineDecoder implements Decoder {
  readonly #emit: (frame: Frame) => void;
  readonly #maxBytes: number;
  readonly #line: Body;

  constructor(emit: (frame: Frame) => void, { maxBytes = MAX_BYTES }: DecoderOptions = {}) {
    // JSON ignores the \r of a \r\n; a line of nothing but white space is no message.
    this.#emit = (frame) => {
      if (typeof frame !== "string" || frame.charCodeAt(0) > 32 || frame.trim() !== "") emit(frame);
    };
    this.#maxBytes = maxBytes;
    this.#line = new Body(this.#emit, maxBytes);
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    const last = chunk.lastIndexOf(LF) + 1;
    if (this.#line.begun && last > 0) {
      start = chunk.indexOf(LF) + 1;
      this.#line.add(chunk.subarray(0, start - 1));
      this.#line.end();
    }
    if (start < last) this.#lines(chunk.subarray(start, last));
    if (last < chunk.length) this.#line.add(chunk.subarray(last));
  }

  end(): void {
    if (this.#line.begun) this.#line.end();
  }

  /** Whole lines, decoded in one go: a decoder call for each line costs as much as parsing a short message. */
  #lines(bytes: Uint8Array): void {
    const text = bytes.length > this.#maxBytes ? undefined : textOf(bytes);
    if (text === undefined || text.includes(BOM)) return this.#eachLine(bytes);
    for (let start = 0, end; (end = text.indexOf("\n", start)) !== -1; start = end + 1)
      this.#emit(text.slice(start, end));
  }

  /** The same where a line may be too long or not UTF-8, or begin with a byte order mark. */
  #eachLine(bytes: Uint8Array): void {
    for (let start = 0, end; (end = bytes.indexOf(LF, start)) !== -1; start = end + 1)
      this.#line.whole(bytes.subarray(start, end));
  }
}
