import { httpServer } from "../contenders/http-servers.ts";
import type { Row } from "../harness/row.ts";

export default {
  title: "MCP tools/call over HTTP, stateless, zod schema checked, 32 connections",
  contenders: [
    { name: "ours", kind: "ours", prepare: () => httpServer("http-ours", "stateless") },
    { name: "ours, 300 tools", kind: "ours", prepare: () => httpServer("http-ours", "stateless", 300) },
    { name: "official 2.x", kind: "peer", prepare: () => httpServer("http-official-2", "stateless") },
    { name: "bare node:http", kind: "bare", prepare: () => httpServer("http-bare", "stateless") },
  ],
  bars: [
    { of: "ours", against: "official 2.x", atLeast: 20 },
    { of: "ours", against: "bare node:http", atLeast: 0.8 },
    { of: "ours, 300 tools", against: "ours", atLeast: 0.95 },
  ],
} satisfies Row;
