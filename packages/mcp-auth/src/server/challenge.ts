/** Writes a challenge (RFC 6750 section 3); parameters without a value are left out. */
export function challenge(
  scheme: "Bearer" | "DPoP",
  parameters: { readonly [name: string]: string | undefined },
): string {
  const pairs = Object.entries(parameters).filter((pair) => pair[1] !== undefined);
  return pairs.length === 0
    ? scheme
    : `${scheme} ${pairs.map(([name, value = ""]) => `${name}="${escape(value)}"`).join(", ")}`;
}

/** Only visible ASCII, without what would end the string. */
const escape = (value: string): string => value.replace(/[^\x20-\x7e]/g, "?").replace(/["\\]/g, "'");
