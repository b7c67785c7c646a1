import { againstOfficial } from "../contenders/lifecycle-bars.ts";
import { partOfBare, stdioServers } from "../contenders/stdio-servers.ts";
import type { Row } from "../harness/row.ts";

export default {
  title: "MCP tools/call on a stdio server, zod schema checked, 64 in flight",
  contenders: stdioServers(64),
  bars: [...againstOfficial({ atLeast: 4 }), ...partOfBare(0.7)],
} satisfies Row;
