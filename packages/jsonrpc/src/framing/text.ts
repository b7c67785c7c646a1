import { PARSE_ERROR } from "../errors.ts";
import { Invalid } from "../invalid.ts";
import type { Id } from "../message.ts";

// A byte order mark is left in by the decoder so that it can be taken off wherever a message starts.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

export const notUtf8 = (): Invalid =>
  Invalid.frame("Parse error: the message is not valid UTF-8", null, false, PARSE_ERROR);

const BOM = 0xfeff;

export const withoutBom = (text: string): string => (text.charCodeAt(0) === BOM ? text.slice(1) : text);

/** One array from many. */
export function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

const lax = new TextDecoder();

/** Enough of either end of a message to find its id in. */
export const EDGE = 256;

/**
 * A message that was too long to keep. Most writers put the id first or last, so that its call can be told: without
 * that it would wait for its timeout.
 */
export function tooLong(maxBytes: number, head: Uint8Array, tail: Uint8Array): Invalid {
  const start = lax.decode(head);
  const found =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*,/.exec(start) ??
    /[,{]\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*\}\s*$/.exec(lax.decode(tail));
  const id = found ? (JSON.parse(found[1] as string) as Id) : null;
  const response = /^\s*\{(?:\s*"(?:jsonrpc|id)"\s*:\s*[^,{[]*,)*\s*"(?:result|error)"/.test(start);
  return Invalid.frame(`The message is longer than ${maxBytes} bytes`, id, response);
}
