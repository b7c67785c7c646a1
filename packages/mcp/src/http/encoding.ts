const START = "=?base64?";
const END = "?=";

/** Visible ASCII, with spaces inside only. The empty string is an empty value. */
const PLAIN = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/;

const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const isMarked = (text: string): boolean =>
  text.length >= START.length + END.length && text.startsWith(START) && text.endsWith(END);

/** A value as a header carries it: as it is where that is safe, else in Base64 between marks ("Value Encoding"). */
export function encodeHeader(value: string | number | boolean): string {
  const text = String(value);
  if (PLAIN.test(text) && !isMarked(text)) return text;
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return START + btoa(bytes) + END;
}

/** The value in a header; undefined where it has characters that no header may have, or Base64 that is none. */
export function decodeHeader(header: string): string | undefined {
  const text = header.trim();
  if (!isMarked(text)) return /^[\t\x20-\x7e]*$/.test(text) ? text : undefined;
  const base64 = text.slice(START.length, -END.length);
  if (!BASE64.test(base64)) return undefined;
  try {
    return utf8.decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
