import { bundle, bundleNote, bytes } from "../contenders/bundle.ts";
import type { Row } from "../harness/row.ts";

const info = `{ name: "clock", version: "1.0.0" }`;

export default {
  title: "Size of an MCP server over HTTP with one tool",
  note:
    `${bundleNote} Of ours that leaves out 2 kB that its handler loads when it is made, what HTTP has to know of MCP, ` +
    "and 1.4 kB that it loads when it meets a client that begins with a handshake.",
  exact: true,
  figures: [bytes],
  contenders: [
    bundle(
      "ours",
      "ours",
      `import { createServer } from "node:http";
       import { McpServer } from "@x/mcp/server";
       import { nodeListener } from "@x/transport-http";
       const server = new McpServer(${info});
       server.tool("now", {}, () => new Date().toISOString());
       createServer(nodeListener(server)).listen(3000, "127.0.0.1");`,
    ),
    bundle(
      "official 1.x",
      "peer",
      `import { createServer } from "node:http";
       import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
       import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
       createServer(async (request, response) => {
         const server = new McpServer(${info});
         server.registerTool("now", {}, () => ({ content: [{ type: "text", text: new Date().toISOString() }] }));
         const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
         await server.connect(transport);
         await transport.handleRequest(request, response);
       }).listen(3000, "127.0.0.1");`,
    ),
    bundle(
      "official 2.x",
      "peer",
      `import { createServer } from "node:http";
       import { toNodeHandler } from "@modelcontextprotocol/node";
       import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
       const handler = createMcpHandler(() => {
         const server = new McpServer(${info});
         server.registerTool("now", {}, () => ({ content: [{ type: "text", text: new Date().toISOString() }] }));
         return server;
       });
       createServer(toNodeHandler(handler)).listen(3000, "127.0.0.1");`,
    ),
  ],
  bars: [{ atMost: 20_000 }, { against: ["official 1.x", "official 2.x"], atMost: 1 / 5 }],
} satisfies Row;
