import { INVALID_REQUEST, PARSE_ERROR } from "../errors.ts";
import { Invalid } from "../invalid.ts";
import type { Edges } from "./edges.ts";
import type { Frame } from "./framing.ts";
import { Gathered } from "./gathered.ts";
import { textOf, withoutBom } from "./text.ts";

/** What every engine can hold as one string. */
const LONGEST_TEXT = 2 ** 29 - 24;

/** Why a message is passed over. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
}

const NOT_UTF8: Refusal = { code: PARSE_ERROR, message: "Parse error: the message is not valid UTF-8" };

/**
 * What a framing's decoder puts each message's bytes into, in pieces of any size: emits its text at its end, without a
 * byte order mark. A message that is too long or not UTF-8 is passed over without being kept, and reported with its id
 * where that can be found. The time is linear in the bytes; what is kept is one text of at most `maxBytes` characters.
 */
export class Body {
  readonly #emit: (frame: Frame) => void;
  readonly #maxBytes: number;
  readonly #tooLong: Refusal;
  readonly #gathered = new Gathered();
  /** Bytes of this message so far. */
  #length = 0;
  /** Set while a message is passed over. */
  #refusal: Refusal | undefined;
  #edges: Edges | undefined;
  #looked = false;
  #reported = false;

  constructor(emit: (frame: Frame) => void, maxBytes: number) {
    this.#emit = emit;
    this.#maxBytes = Math.min(maxBytes, LONGEST_TEXT);
    this.#tooLong = { code: INVALID_REQUEST, message: `The message is longer than ${this.#maxBytes} bytes` };
  }

  /** Bytes of this message have come, or it is known that it will be passed over. */
  get begun(): boolean {
    return this.#length > 0 || this.#edges !== undefined;
  }

  /** How long the message that begins will be, where that is known. */
  expect(bytes: number): void {
    if (bytes > this.#maxBytes) this.refuse(this.#tooLong);
  }

  /** A message that came in one piece, which is not copied. Only where none has begun. */
  whole(bytes: Uint8Array): void {
    const text = bytes.length > this.#maxBytes ? undefined : textOf(bytes);
    if (text !== undefined) return this.#emit(withoutBom(text));
    this.add(bytes);
    this.end();
  }

  /** The next piece. */
  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > this.#maxBytes) this.refuse(this.#tooLong);
    if (!this.#edges && !this.#gathered.add(bytes)) this.refuse(NOT_UTF8);
    if (this.#edges) this.#pass(bytes, this.#edges);
  }

  /** The message is whole. */
  end(): void {
    const text = this.#edges ? undefined : this.#gathered.text();
    if (text === undefined && !this.#edges) this.refuse(NOT_UTF8);
    const frame = text === undefined ? this.#report(true) : withoutBom(text);
    const reported = this.#reported;
    this.#length = 0;
    this.#gathered.clear();
    this.#refusal = this.#edges = undefined;
    this.#looked = this.#reported = false;
    if (!reported) this.#emit(frame);
  }

  /** This message will be passed over, what has come of it included. */
  refuse(refusal: Refusal): void {
    this.#refusal = refusal;
    if (this.#edges) return;
    this.#edges = this.#gathered.edges();
    this.#gathered.clear();
  }

  /** A message that is too long is reported as soon as its id is known: its end may be far, or never come. */
  #pass(bytes: Uint8Array, edges: Edges): void {
    edges.add(bytes);
    if (this.#looked || this.#refusal !== this.#tooLong || !edges.headIsFull) return;
    this.#looked = true;
    const report = this.#report(false);
    this.#reported = report.id !== null;
    if (this.#reported) this.#emit(report);
  }

  #report(ended: boolean): Invalid {
    const edges = this.#edges as Edges;
    const { id, meant } = edges.readHead();
    const { message, code } = this.#refusal as Refusal;
    return new Invalid(message, { code, id: id ?? (ended ? edges.readTail() : null), meant });
  }
}
