import type { BodyDone } from "./carrier.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Gives a whole body as text, without a byte order mark. */
export function decode(bytes: Uint8Array, limit: number, done: BodyDone): void {
  if (bytes.length > limit) return done(undefined, "too large");
  const text = textOf(bytes);
  done(text, text === undefined ? "not UTF-8" : undefined);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** One array from its pieces. */
export function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
