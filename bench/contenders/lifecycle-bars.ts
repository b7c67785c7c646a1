import type { Bar } from "../harness/row.ts";

/** In either lifecycle against the better one of those that read and write the same messages. */
export const againstOfficial = (limit: { atLeast: number } | { atMost: number }): readonly Bar[] => [
  { of: "ours, handshake", against: ["official 1.x", "official 2.x, handshake"], ...limit },
  { of: "ours, stateless", against: "official 2.x, stateless", ...limit },
];
