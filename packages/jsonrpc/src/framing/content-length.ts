import { PARSE_ERROR } from "../errors.ts";
import { Invalid } from "../invalid.ts";
import { Body } from "./body.ts";
import { type Decoder, type DecoderOptions, type Frame, type Framing, MAX_BYTES } from "./framing.ts";
import { type Header, LINE_END, MAX_HEADER, lengthAtEnd, plainLength, withField } from "./header.ts";
import { encodeWithLength } from "./length.ts";
import { LF, textOf } from "./text.ts";

/** A `Content-Length` header before each message, as the Language Server and Debug Adapter Protocols have it. */
export const contentLength: Framing = {
  encode: encodeWithLength,
  decoder: (emit, options) => new HeaderDecoder(emit, options),
};

const NOTHING: Header = {};

class HeaderDecoder implements Decoder {
  readonly #emit: (frame: Frame) => void;
  readonly #body: Body;
  /** Bytes of the body that are still to come; 0 in a header section. */
  #missing = 0;
  #header = NOTHING;
  /** The header line so far, a character for each byte, and the bytes of the section before it. */
  #line = "";
  #section = 0;
  /** The chunk as text, for as long as all that came was ASCII: cutting text costs a quarter of decoding each body. */
  #text: string | undefined;
  #ascii = true;
  /** Something made no sense: everything up to the next `Content-Length` is passed over. */
  #lost = false;

  constructor(emit: (frame: Frame) => void, { maxBytes = MAX_BYTES }: DecoderOptions = {}) {
    this.#emit = emit;
    this.#body = new Body(emit, maxBytes);
  }

  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) at = this.#missing > 0 ? this.#takeBody(chunk, at) : this.#takeHeader(chunk, at);
    this.#text = undefined;
  }

  end(): void {
    if (this.#missing > 0) {
      const message = `Parse error: the input ended ${this.#missing} bytes before the end of the message`;
      this.#missing = 0;
      this.#body.refuse({ code: PARSE_ERROR, message });
      this.#body.end();
    } else if (!this.#lost && (this.#header !== NOTHING || this.#line.trim() !== "")) {
      this.#fail("the input ended within a header section");
    }
  }

  #takeBody(chunk: Uint8Array, start: number): number {
    const end = Math.min(start + this.#missing, chunk.length);
    const begun = this.#body.begun;
    this.#missing -= end - start;
    if (this.#missing === 0 && !begun && this.#isAscii(chunk)) {
      this.#emit((this.#text as string).slice(start, end));
      return end;
    }
    const bytes = start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end);
    if (this.#missing === 0 && !begun) {
      this.#body.whole(bytes);
    } else {
      this.#body.add(bytes);
      if (this.#missing === 0) this.#body.end();
    }
    return end;
  }

  /** A character is a byte: as many of them only ASCII has. */
  #isAscii(chunk: Uint8Array): boolean {
    if (!this.#ascii) return false;
    this.#text ??= textOf(chunk) ?? "";
    this.#ascii = this.#text.length === chunk.length;
    return this.#ascii;
  }

  #takeHeader(chunk: Uint8Array, start: number): number {
    if (this.#line === "" && this.#header === NOTHING) {
      const plain = plainLength(chunk, start);
      if (plain) {
        this.#startBody({ length: plain.length });
        return plain.end;
      }
    }
    const lf = chunk.indexOf(LF, start);
    const end = lf === -1 ? chunk.length : lf;
    this.#extendLine(chunk, start, end);
    if (lf === -1) return end;
    const line = this.#line.endsWith("\r") ? this.#line.slice(0, -1) : this.#line;
    this.#section += this.#line.length + 1;
    this.#line = "";
    this.#takeLine(line);
    return end + 1;
  }

  #extendLine(chunk: Uint8Array, start: number, end: number): void {
    if (!this.#lost && this.#section + this.#line.length + end - start > MAX_HEADER)
      this.#fail(`the header section is longer than ${MAX_HEADER} bytes`);
    // When lost, junk without a line end may go on for ever.
    const from = this.#lost ? Math.max(start, end - LINE_END) : start;
    this.#line += String.fromCharCode(...chunk.subarray(from, end));
    if (this.#lost) this.#line = this.#line.slice(-LINE_END);
  }

  #takeLine(line: string): void {
    const { length } = this.#header;
    if (!this.#lost) {
      if (line === "") return this.#endSection();
      const header = withField(this.#header, line);
      if (typeof header !== "string") {
        this.#header = header;
        return;
      }
      this.#fail(header);
      // Two lengths in one section: neither can be trusted.
      if (length !== undefined) return;
    }
    const found = lengthAtEnd(line);
    if (found === undefined) return;
    this.#lost = false;
    this.#header = { length: found };
    this.#section = line.length;
  }

  #endSection(): void {
    // Some writers end a message with an empty line.
    if (this.#header === NOTHING) this.#section = 0;
    else if (this.#header.length === undefined) this.#fail('the header section has no "Content-Length"');
    else this.#startBody(this.#header);
  }

  #startBody({ length = 0, charset }: Header): void {
    this.#lost = false;
    this.#header = NOTHING;
    this.#section = 0;
    this.#missing = length;
    if (charset !== undefined)
      this.#body.refuse({ code: PARSE_ERROR, message: `Parse error: the charset must be utf-8, got "${charset}"` });
    this.#body.expect(length);
    if (length === 0) this.#body.end();
  }

  #fail(reason: string): void {
    this.#lost = true;
    this.#header = NOTHING;
    this.#section = 0;
    this.#emit(new Invalid(`Parse error: ${reason}`, { code: PARSE_ERROR }));
  }
}
