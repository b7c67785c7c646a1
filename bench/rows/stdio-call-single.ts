import { partOfBare, stdioServers } from "../contenders/stdio-servers.ts";
import type { Row } from "../harness/row.ts";

export default {
  title: "MCP tools/call on a stdio server, zod schema checked, one at a time",
  contenders: stdioServers(1),
  bars: partOfBare(0.85),
} satisfies Row;
