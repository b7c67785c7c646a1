import { installed, packages, size } from "../contenders/installed.ts";
import type { Row } from "../harness/row.ts";

export default {
  title: "What installing an MCP server over stdio puts on the disk",
  note: "The sum of the files, dependencies included.",
  exact: true,
  figures: [size, packages],
  contenders: [
    installed("ours", "ours", "@x/mcp", "@x/transport-stdio"),
    installed("ours, with zod", "ours", "@x/mcp", "@x/transport-stdio", "zod"),
    installed("official 1.x", "peer", "@modelcontextprotocol/sdk"),
    installed("official 2.x", "peer", "@modelcontextprotocol/server"),
  ],
  bars: [{ of: "ours", against: ["official 1.x", "official 2.x"], atMost: 0.5 }],
} satisfies Row;
