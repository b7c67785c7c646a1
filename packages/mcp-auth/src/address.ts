/** Where a host is, as far as its name or address tells. */
export type Place = "public" | "loopback" | "private" | "link-local" | "reserved";

/**
 * Tells where the host of an URL is. `hostname` is that of a `URL`, which has undone octal, hexadecimal and short forms.
 * A name says little: it may resolve to any address.
 */
export function placeOf(hostname: string): Place {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (host.startsWith("[")) return placeOfIPv6(groupsOf(host.slice(1, -1)));
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return placeOfIPv4(host.split(".").map(Number));
  if (host === "localhost" || host.endsWith(".localhost")) return "loopback";
  const inside = !host.includes(".") || /\.(internal|local|lan|home\.arpa)$/.test(host);
  return inside ? "private" : "public";
}

/** The same for an address as it stands in a DNS answer: IPv6 has no brackets. */
export const placeOfAddress = (address: string): Place => placeOf(address.includes(":") ? `[${address}]` : address);

/** Base, length of the prefix in bits, place (IANA special-purpose registry). */
const IPV4: readonly (readonly [base: string, bits: number, place: Place])[] = [
  ["0.0.0.0", 8, "reserved"],
  ["10.0.0.0", 8, "private"],
  ["100.64.0.0", 10, "private"],
  ["127.0.0.0", 8, "loopback"],
  ["169.254.0.0", 16, "link-local"],
  ["172.16.0.0", 12, "private"],
  ["192.0.0.0", 24, "reserved"],
  ["192.0.2.0", 24, "reserved"],
  ["192.168.0.0", 16, "private"],
  ["198.18.0.0", 15, "reserved"],
  ["198.51.100.0", 24, "reserved"],
  ["203.0.113.0", 24, "reserved"],
  ["224.0.0.0", 3, "reserved"],
];

function placeOfIPv4(bytes: readonly number[]): Place {
  const address = numberOf(bytes);
  const row = IPV4.find(([base, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(address / size) === Math.floor(numberOf(base.split(".").map(Number)) / size);
  });
  return row?.[2] ?? "public";
}

const numberOf = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

/** Prefixes, in groups of 16 bits, of addresses that have an IPv4 address within them, and the group that begins it. */
const CARRIERS: readonly (readonly [prefix: readonly number[], at: number])[] = [
  [[0, 0, 0, 0, 0, 0xffff], 6],
  [[0, 0, 0, 0, 0xffff, 0], 6],
  [[0x64, 0xff9b, 0, 0, 0, 0], 6],
  [[0x2002], 1],
];

function placeOfIPv6(groups: readonly number[]): Place {
  const [first = 0, second = 0] = groups;
  const zeros = groups.slice(0, 7).every((group) => group === 0);
  if (zeros && groups[7] === 1) return "loopback";
  if (zeros) return "reserved";
  const carrier = CARRIERS.find(([prefix]) => prefix.every((group, index) => groups[index] === group));
  if (carrier || groups.slice(0, 6).every((group) => group === 0)) {
    const [high = 0, low = 0] = groups.slice(carrier?.[1] ?? 6);
    return placeOfIPv4([high >> 8, high & 255, low >> 8, low & 255]);
  }
  if ((first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfec0) return "private";
  if ((first & 0xffc0) === 0xfe80) return "link-local";
  const global = (first & 0xe000) === 0x2000;
  return global && !(first === 0x2001 && second === 0xdb8) ? "public" : "reserved";
}

/** The eight groups of an address that may have `::` and end as an IPv4 address does. */
function groupsOf(address: string): readonly number[] {
  const hex = address.replace(/%.*$/, "").replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = "", tail] = hex.split("::");
  const before = numbersIn(head);
  const after = numbersIn(tail ?? "");
  const gap = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<number>(gap).fill(0), ...after];
}

const numbersIn = (text: string): number[] =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
