import type { Fields } from "../message.ts";
import { joined } from "./bytes.ts";

/** Bytes that are kept of either end. */
export const EDGE = 256;

const utf8 = new TextDecoder();

/** The first and the last bytes, as many as are kept; all where these are no more. */
export const ends = (bytes: Uint8Array): Uint8Array =>
  bytes.length > 2 * EDGE ? joined(bytes.subarray(0, EDGE), bytes.subarray(-EDGE)) : bytes;

/**
 * What can be told of a message without reading it: its members at the beginning, up to the first that is an object or
 * an array, and the id where it is the last one. Most writers put the id first or last, so that the call which waits
 * for it can be told: without that it would wait for its timeout.
 */
export function fieldsOf(bytes: Uint8Array, whole: boolean): Fields {
  const fields: { -readonly [K in keyof Fields]: unknown } = {};
  for (const [, name, string, number] of utf8.decode(bytes.subarray(0, EDGE)).matchAll(MEMBER)) {
    const value = valueOf(string, number);
    fields[(name === "params" ? "method" : name) as keyof Fields] = value ?? null;
    if (value === undefined) break;
  }
  const [, string, number] = (whole && LAST_ID.exec(utf8.decode(bytes.subarray(-EDGE)))) || [];
  fields.id ??= valueOf(string, number);
  return fields;
}

// Strings with escapes are passed over: what JSON.parse might refuse must not be given to it.
const MEMBER = /\s*[{,]\s*"(\w+)"\s*:\s*(?:"([^"\\\p{Cc}]*)"|(-?\d+)(?=\s*[,}]))?/guy;
const LAST_ID = /[{,]\s*"id"\s*:\s*(?:"([^"\\\p{Cc}]*)"|(-?\d+))\s*\}\s*$/u;

const valueOf = (string: string | undefined, number: string | undefined): string | number | undefined =>
  string ?? (number && Number(number));
