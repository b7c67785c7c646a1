import { bundle, bundleNote, bytes } from "../contenders/bundle.ts";
import type { Row } from "../harness/row.ts";

const info = `{ name: "clock", version: "1.0.0" }`;

export default {
  title: "Size of an MCP server over stdio with one tool",
  note:
    `${bundleNote} Of ours that leaves out 1.4 kB that it loads when it meets a client that begins with a handshake. ` +
    "The tool takes no arguments, so that none has a schema library that it doesn't need itself.",
  exact: true,
  figures: [bytes],
  contenders: [
    bundle(
      "ours",
      "ours",
      `import { McpServer } from "@x/mcp/server";
       import { serveStdio } from "@x/transport-stdio";
       const server = new McpServer(${info});
       server.tool("now", {}, () => new Date().toISOString());
       await serveStdio(server);`,
    ),
    bundle(
      "official 1.x",
      "peer",
      `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
       import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
       const server = new McpServer(${info});
       server.registerTool("now", {}, () => ({ content: [{ type: "text", text: new Date().toISOString() }] }));
       await server.connect(new StdioServerTransport());`,
    ),
    bundle(
      "official 2.x",
      "peer",
      `import { McpServer } from "@modelcontextprotocol/server";
       import { serveStdio } from "@modelcontextprotocol/server/stdio";
       serveStdio(() => {
         const server = new McpServer(${info});
         server.registerTool("now", {}, () => ({ content: [{ type: "text", text: new Date().toISOString() }] }));
         return server;
       });`,
    ),
  ],
  bars: [{ atMost: 14_000 }, { against: ["official 1.x", "official 2.x"], atMost: 1 / 5 }],
} satisfies Row;
