import { httpServer } from "../contenders/http-servers.ts";
import type { Row } from "../harness/row.ts";

export default {
  title: "MCP tools/call over HTTP in a session, zod schema checked, 32 connections",
  contenders: [
    { name: "ours", kind: "ours", prepare: () => httpServer("http-ours", "handshake") },
    { name: "ours, 300 tools", kind: "ours", prepare: () => httpServer("http-ours", "handshake", 300) },
    { name: "official 1.x", kind: "peer", prepare: () => httpServer("http-official-1", "handshake") },
    { name: "official 2.x", kind: "peer", prepare: () => httpServer("http-official-2", "handshake") },
    { name: "bare node:http", kind: "bare", prepare: () => httpServer("http-bare", "handshake") },
  ],
  bars: [
    { of: "ours", against: ["official 1.x", "official 2.x"], atLeast: 4 },
    { of: "ours", against: "bare node:http", atLeast: 0.65 },
    { of: "ours, 300 tools", against: "ours", atLeast: 0.95 },
  ],
} satisfies Row;
