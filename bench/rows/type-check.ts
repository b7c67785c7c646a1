import { beyond, check, checkTime, schemas, typeCheck, write } from "../contenders/type-check.ts";
import type { Row } from "../harness/row.ts";

const info = `{ name: "office", version: "1.0.0" }`;
const text = (i: number): string => `\`\${args.roomId} \${args.date${i}}\``;

export default {
  title: "Type-checking 100 tools with zod schemas",
  note:
    "What tsc counts as checking, on one thread. Bare is the schemas and functions of their output, without a server: " +
    "what zod's own types cost, which every server adds to.",
  figures: [check, beyond],
  contenders: [
    typeCheck("ours", "ours", {
      head: `import { McpServer } from "@x/mcp/server";\nconst server = new McpServer(${info});`,
      tool: (i, schema) => `server.tool("tool-${i}", { input: ${schema} }, (args) => ${text(i)});`,
    }),
    typeCheck("official 1.x", "peer", {
      head: `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nconst server = new McpServer(${info});`,
      tool: (i, schema) =>
        `server.registerTool("tool-${i}", { inputSchema: ${schema}.shape }, (args) => ({ content: [{ type: "text", text: ${text(i)} }] }));`,
    }),
    typeCheck("official 2.x", "peer", {
      head: `import { McpServer } from "@modelcontextprotocol/server";\nconst server = new McpServer(${info});`,
      tool: (i, schema) =>
        `server.registerTool("tool-${i}", { inputSchema: ${schema} }, (args) => ({ content: [{ type: "text", text: ${text(i)} }] }));`,
    }),
    {
      name: "bare",
      kind: "bare",
      measure: async () => ({ [check.name]: await checkTime(write("schemas", schemas)) }),
    },
  ],
  bars: [
    { against: "official 2.x", atMost: 0.3 },
    { figure: beyond.name, against: "official 2.x", atMost: 0.3 },
  ],
} satisfies Row;
