import { INVALID_REQUEST, PARSE_ERROR } from "../errors.ts";
import { Invalid } from "../invalid.ts";
import { joined } from "./bytes.ts";
import { EDGE, ends, fieldsOf } from "./edges.ts";
import type { Frame } from "./framing.ts";
import { textOf } from "./text.ts";

/** What every engine can hold as one string. */
const LONGEST_TEXT = 2 ** 29 - 24;

const NONE = new Uint8Array();

/** Why a message is passed over. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
}

/**
 * What a framing's decoder puts each message's bytes into, in pieces of any size: emits its text at its end, without a
 * byte order mark. A message that is too long or not UTF-8 is passed over and reported, with its id where that can be
 * found. The time is linear in the bytes; what is kept is the message, and of one that is too long only its two ends.
 */
export class Body {
  readonly #emit: (frame: Frame) => void;
  readonly #maxBytes: number;
  /** Room for the message, and how much of it is filled: pieces are copied, however small they are. */
  #room: Uint8Array = NONE;
  #filled = 0;
  /** Set while a message is passed over. */
  #refusal: Refusal | undefined;
  /** Whether its id was at its beginning, so that it has been reported; undefined until that is known. */
  #reported: boolean | undefined;

  constructor(emit: (frame: Frame) => void, maxBytes: number) {
    this.#emit = emit;
    this.#maxBytes = maxBytes < LONGEST_TEXT ? maxBytes : LONGEST_TEXT;
  }

  /** Bytes of this message have come, or it is known that it will be passed over. */
  get begun(): boolean {
    return this.#filled > 0 || this.#refusal !== undefined;
  }

  /** How long the message that begins will be, where that is known. */
  expect(bytes: number): void {
    if (bytes > this.#maxBytes)
      this.refuse({ code: INVALID_REQUEST, message: `The message is longer than ${this.#maxBytes} bytes` });
  }

  /** A message that came in one piece, which is not copied. Only where none has begun. */
  whole(bytes: Uint8Array): void {
    this.#room = bytes;
    this.#filled = bytes.length;
    this.expect(bytes.length);
    this.end();
  }

  /** The next piece. */
  add(bytes: Uint8Array): void {
    const filled = this.#filled + bytes.length;
    this.expect(filled);
    if (this.#refusal) return this.#pass(bytes);
    if (filled > this.#room.length) {
      const room = new Uint8Array(Math.min(4 * filled, this.#maxBytes));
      room.set(this.#bytes);
      this.#room = room;
    }
    this.#room.set(bytes, this.#filled);
    this.#filled = filled;
  }

  /** The message is whole. */
  end(): void {
    const text = this.#refusal ? undefined : textOf(this.#bytes);
    if (text === undefined) {
      this.refuse({ code: PARSE_ERROR, message: "Parse error: the message is not valid UTF-8" });
      if (!this.#reported) this.#report(true);
    }
    this.#room = NONE;
    this.#filled = 0;
    this.#refusal = this.#reported = undefined;
    if (text !== undefined) this.#emit(text);
  }

  /** This message will be passed over, what has come of it included. The first reason counts. */
  refuse(refusal: Refusal): void {
    this.#refusal ??= refusal;
  }

  get #bytes(): Uint8Array {
    return this.#room.subarray(0, this.#filled);
  }

  /** Reported as soon as its id is known: its end may be far, or never come. */
  #pass(bytes: Uint8Array): void {
    this.#room = joined(ends(this.#bytes), ends(bytes));
    this.#filled = this.#room.length;
    if (this.#filled >= EDGE) this.#reported ??= this.#report(false);
  }

  /** Whether there was anything to report: without an id only at the end. */
  #report(whole: boolean): boolean {
    const { id, meant } = Invalid.of(fieldsOf(this.#bytes, whole));
    const { code, message } = this.#refusal as Refusal;
    const known = whole || id !== null;
    if (known) this.#emit(new Invalid(message, { code, id, meant }));
    return known;
  }
}
