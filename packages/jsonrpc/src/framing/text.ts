export const LF = 10;
export const CR = 13;

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

const BOM = 0xfeff;

/** A message's text without the byte order mark that some writers put before it. */
export const withoutBom = (text: string): string => (text.charCodeAt(0) === BOM ? text.slice(1) : text);
