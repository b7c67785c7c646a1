// The entry that serves both eras for the stateless one; a transport for each session for the other.
import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { listen, toolCount } from "../contenders/listen.ts";
import { serverOf } from "../contenders/official-2.ts";

const handler = createMcpHandler(() => serverOf(toolCount), { legacy: "reject", maxSubscriptions: 20_000 });
const stateless = toNodeHandler(handler);
const sessions = new Map<string, NodeStreamableHTTPServerTransport>();

async function inSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const known = sessions.get(String(request.headers["mcp-session-id"]));
  if (known) return await known.handleRequest(request, response);
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await serverOf(toolCount).connect(transport);
  return await transport.handleRequest(request, response);
}

listen(
  createServer((request, response) => {
    const isStateless = request.headers["mcp-protocol-version"] === "2026-07-28";
    // Its types don't know that some of Node's members may be undefined.
    void (isStateless ? stateless(request as Parameters<typeof stateless>[0], response) : inSession(request, response));
  }),
  () => handler.notify.toolsChanged(),
);
