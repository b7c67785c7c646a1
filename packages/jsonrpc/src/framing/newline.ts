import { type Decoder, type DecoderOptions, type Frame, type Framing, MAX_BYTES } from "./framing.ts";
import { EDGE, concat, notUtf8, textOf, tooLong, withoutBom } from "./text.ts";

/** One message a line, as MCP's stdio transport and NDJSON have it. Empty lines mean nothing. */
export const newline: Framing = {
  encode: (text) => `${text}\n`,
  decoder: (emit, options) => new LineDecoder(emit, options),
};

const LF = 10;

class LineDecoder implements Decoder {
  readonly #emit: (frame: Frame) => void;
  readonly #maxBytes: number;
  /** The beginning of a line whose end has not come yet. */
  #parts: Uint8Array[] = [];
  #length = 0;
  /** Set while a line that is too long goes by: its two ends. */
  #skipped: { head: Uint8Array; tail: Uint8Array } | undefined;

  constructor(emit: (frame: Frame) => void, { maxBytes = MAX_BYTES }: DecoderOptions = {}) {
    this.#emit = emit;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    if (this.#length > 0 || this.#skipped) {
      const end = chunk.indexOf(LF);
      if (end === -1) return this.#keep(chunk);
      this.#keep(chunk.subarray(0, end));
      this.#endLine();
      start = end + 1;
    }
    const last = chunk.lastIndexOf(LF);
    if (last >= start) this.#lines(chunk.subarray(start, last));
    if (last + 1 < chunk.length) this.#keep(chunk.subarray(Math.max(start, last + 1)));
  }

  end(): void {
    if (this.#length > 0 || this.#skipped) this.#endLine();
  }

  /** Whole lines, decoded in one go: a decoder call for each line costs as much as parsing a short message. */
  #lines(bytes: Uint8Array): void {
    const text = bytes.length <= this.#maxBytes ? textOf(bytes) : undefined;
    if (text === undefined) return this.#eachLine(bytes);
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#line(text.slice(start, end));
      start = end + 1;
    }
    this.#line(start === 0 ? text : text.slice(start));
  }

  /** The same for bytes among which a line is too long or no UTF-8: the others must still arrive. */
  #eachLine(bytes: Uint8Array): void {
    for (let start = 0; start <= bytes.length; ) {
      const end = bytes.indexOf(LF, start);
      this.#bytes(bytes.subarray(start, end === -1 ? bytes.length : end));
      if (end === -1) return;
      start = end + 1;
    }
  }

  #bytes(line: Uint8Array): void {
    if (line.length > this.#maxBytes)
      return this.#emit(tooLong(this.#maxBytes, line.subarray(0, EDGE), line.subarray(-EDGE)));
    const text = textOf(line);
    if (text === undefined) this.#emit(notUtf8());
    else this.#line(text);
  }

  #line(line: string): void {
    const text = withoutBom(line);
    // JSON ignores the \r of a \r\n; a line of nothing but white space is no message.
    if (text.length > 0 && (text.charCodeAt(0) > 32 || text.trim() !== "")) this.#emit(text);
  }

  #keep(part: Uint8Array): void {
    if (this.#skipped) {
      this.#skipped.tail = lastBytes(this.#skipped.tail, part);
    } else if (this.#length + part.length > this.#maxBytes) {
      const head = concat([...this.#parts, part.subarray(0, EDGE)], this.#length + Math.min(part.length, EDGE)).slice(
        0,
        EDGE,
      );
      this.#skipped = { head, tail: lastBytes(this.#parts.at(-1) ?? new Uint8Array(), part) };
      this.#parts = [];
      this.#length = 0;
    } else {
      // A copy, since the chunk belongs to the stream that may use it again.
      this.#parts.push(part.slice());
      this.#length += part.length;
    }
  }

  #endLine(): void {
    if (this.#skipped) {
      const { head, tail } = this.#skipped;
      this.#skipped = undefined;
      return this.#emit(tooLong(this.#maxBytes, head, tail));
    }
    const [first] = this.#parts;
    const line = this.#parts.length === 1 && first ? first : concat(this.#parts, this.#length);
    this.#parts = [];
    this.#length = 0;
    this.#bytes(line);
  }
}

function lastBytes(before: Uint8Array, after: Uint8Array): Uint8Array {
  if (after.length >= EDGE) return after.slice(-EDGE);
  const kept = before.slice(-(EDGE - after.length));
  return concat([kept, after], kept.length + after.length);
}
