export const LF = 10;
export const CR = 13;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Without a byte order mark, which some writers put before a message. Undefined for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
