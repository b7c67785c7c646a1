import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { listen, toolCount } from "../contenders/listen.ts";
import { serverOf } from "../contenders/official-1.ts";

const sessions = new Map<string, StreamableHTTPServerTransport>();

async function inSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const known = sessions.get(String(request.headers["mcp-session-id"]));
  if (known) return await known.handleRequest(request, response);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await serverOf(toolCount).connect(transport);
  return await transport.handleRequest(request, response);
}

listen(createServer((request, response) => void inSession(request, response)));
