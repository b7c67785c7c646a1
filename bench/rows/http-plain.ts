import { httpServer } from "../contenders/http-servers.ts";
import type { Row } from "../harness/row.ts";

export default {
  title: "Plain JSON-RPC over HTTP, 32 connections",
  contenders: [
    { name: "ours", kind: "ours", prepare: () => httpServer("http-plain-ours", "handshake") },
    { name: "jayson", kind: "peer", prepare: () => httpServer("http-plain-jayson", "handshake") },
    { name: "bare node:http", kind: "bare", prepare: () => httpServer("http-bare", "handshake") },
  ],
  bars: [{ against: "bare node:http", atLeast: 0.8 }],
} satisfies Row;
