import { EDGE, Edges } from "./edges.ts";
import { textOf, unfinished } from "./text.ts";

/** Bytes that are gathered before they are decoded: with fewer, a message of many MiB is a string of many pieces. */
const BLOCK = 256 * 1024;

const NONE = new Uint8Array();
const encoder = new TextEncoder();

/**
 * A message that is not whole yet. It is decoded as it comes, so that it is held once: as text, and at most one block
 * of bytes. Pieces are copied into the block, however small they are.
 */
export class Gathered {
  #text = "";
  #first = "";
  #last = "";
  #block: Uint8Array = NONE;
  #used = 0;

  /** False for bytes that are not UTF-8, which is found out a block later at most. */
  add(bytes: Uint8Array): boolean {
    const needed = this.#used + bytes.length;
    if (needed > this.#block.length && this.#block.length < BLOCK) this.#grow(needed);
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(this.#block.length - this.#used, bytes.length - at);
      this.#block.set(count === bytes.length ? bytes : bytes.subarray(at, at + count), this.#used);
      this.#used += count;
      at += count;
      if (this.#used === BLOCK && !this.#flush()) return false;
    }
    return true;
  }

  /** The whole message; undefined where it is not UTF-8. */
  text(): string | undefined {
    const rest = textOf(this.#block.subarray(0, this.#used));
    return rest === undefined ? undefined : this.#text + rest;
  }

  edges(): Edges {
    const edges = new Edges();
    if (this.#text !== "") {
      edges.add(encoder.encode(this.#first.slice(0, EDGE)));
      edges.add(encoder.encode(this.#last.slice(-EDGE)));
    }
    edges.add(this.#block.subarray(0, this.#used));
    return edges;
  }

  clear(): void {
    this.#text = this.#first = this.#last = "";
    this.#block = NONE;
    this.#used = 0;
  }

  #grow(needed: number): void {
    const block = new Uint8Array(Math.min(BLOCK, Math.max(needed, 2 * this.#block.length)));
    block.set(this.#block.subarray(0, this.#used));
    this.#block = block;
  }

  /** Decodes the block up to the last whole character. */
  #flush(): boolean {
    const end = this.#used - unfinished(this.#block, this.#used);
    const text = textOf(this.#block.subarray(0, end));
    if (text === undefined) return false;
    if (this.#text === "") this.#first = text;
    this.#text += text;
    this.#last = text;
    this.#block.copyWithin(0, end, this.#used);
    this.#used -= end;
    return true;
  }
}
