import { figures, listenStreams } from "../contenders/listen-streams.ts";
import type { Row } from "../harness/row.ts";

export default {
  title: "Memory of one open listen stream over HTTP, with 5,000 of them, and whether a change reaches them all",
  note: "Bare: a response of node:http that is left open, and a Set of them.",
  figures,
  exact: true,
  contenders: [
    { name: "ours", kind: "ours", measure: () => listenStreams("http-ours") },
    { name: "official 2.x", kind: "peer", measure: () => listenStreams("http-official-2") },
    { name: "bare node:http", kind: "bare", measure: () => listenStreams("http-listen-bare") },
  ],
  bars: [{ atMost: 20_000 }],
} satisfies Row;
