import { Body } from "./body.ts";
import { type Decoder, type DecoderOptions, type Frame, type Framing, MAX_BYTES } from "./framing.ts";
import { LF, textOf, withoutBom } from "./text.ts";

/** One message a line, as MCP's stdio transport and NDJSON have it. Empty lines mean nothing. */
export const newline: Framing = {
  encode: (text) => `${text}\n`,
  decoder: (emit, options) => new LineDecoder(emit, options),
};

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
    if (this.#line.begun) {
      const end = chunk.indexOf(LF);
      if (end === -1) return this.#line.add(chunk);
      this.#line.add(chunk.subarray(0, end));
      this.#line.end();
      start = end + 1;
    }
    const last = chunk.lastIndexOf(LF);
    if (last >= start) this.#lines(chunk.subarray(start, last));
    if (last + 1 < chunk.length) this.#line.add(chunk.subarray(last + 1));
  }

  end(): void {
    if (this.#line.begun) this.#line.end();
  }

  /** Whole lines, decoded in one go: a decoder call for each line costs as much as parsing a short message. */
  #lines(bytes: Uint8Array): void {
    const text = bytes.length > this.#maxBytes ? undefined : textOf(bytes);
    if (text === undefined) return this.#eachLine(bytes);
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#emit(withoutBom(text.slice(start, end)));
      start = end + 1;
    }
    this.#emit(withoutBom(start === 0 ? text : text.slice(start)));
  }

  /** The same for bytes among which a line is too long or not UTF-8: the others must still arrive. */
  #eachLine(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      this.#line.whole(bytes.subarray(start, end));
      start = end + 1;
    }
    this.#line.whole(bytes.subarray(start));
  }
}
