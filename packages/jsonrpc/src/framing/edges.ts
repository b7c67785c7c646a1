import type { Meant } from "../invalid.ts";
import type { Id } from "../message.ts";

/** Bytes that are kept of either end. */
export const EDGE = 256;

const utf8 = new TextDecoder();

/**
 * The two ends of a message that is not kept itself. Most writers put the id first or last, so that the call which
 * waits for it can be told: without that it would wait for its timeout.
 */
export class Edges {
  readonly #head = new Uint8Array(EDGE);
  readonly #tail = new Uint8Array(EDGE);
  #length = 0;

  add(bytes: Uint8Array): void {
    if (this.#length < EDGE) this.#head.set(bytes.subarray(0, EDGE - this.#length), this.#length);
    this.#length += bytes.length;
    const last = bytes.subarray(-EDGE);
    this.#tail.copyWithin(0, last.length);
    this.#tail.set(last, EDGE - last.length);
  }

  /** The head will not change any more. */
  get headIsFull(): boolean {
    return this.#length >= EDGE;
  }

  /** What the members at the beginning say, up to the first that is an object or an array. */
  readHead(): { readonly id: Id; readonly meant: Meant } {
    let id: Id = null;
    let meant: Meant = "unknown";
    const head = utf8.decode(this.#head.subarray(0, this.#length));
    for (const [, name, string, number] of head.matchAll(MEMBER)) {
      if (name === "method" || name === "params") meant = "request";
      else if (name === "result" || name === "error") meant = "response";
      else if (name === "id") id = valueOf(string, number);
      if (string === undefined && number === undefined) break;
    }
    return { id, meant };
  }

  /** The id, where it is the last member. */
  readTail(): Id {
    const found = LAST_ID.exec(utf8.decode(this.#tail));
    return found && valueOf(found[1], found[2]);
  }
}

// Strings with escapes are passed over: what JSON.parse might refuse must not be given to it.
const MEMBER = /\s*[{,]\s*"(\w+)"\s*:\s*(?:"([^"\\\p{Cc}]*)"|(-?\d+)(?=\s*[,}]))?/guy;
const LAST_ID = /[{,]\s*"id"\s*:\s*(?:"([^"\\\p{Cc}]*)"|(-?\d+))\s*\}\s*$/u;

const valueOf = (string: string | undefined, number: string | undefined): Id =>
  string ?? (number === undefined ? null : Number(number));
