// Our client visits servers of the second official generation (@modelcontextprotocol/server) over HTTP.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type TestContext, describe, test } from "node:test";
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { AbortError } from "@x/jsonrpc";
import { type Client, type ConnectOptions, connect } from "@x/mcp/client";
import { z } from "zod";
import { http } from "../../src/index.ts";
import { eventually, listening } from "../serve.ts";

const info = { name: "ours", version: "1.0.0" };

function official(): McpServer {
  const server = new McpServer({ name: "official", version: "2.0.0" });
  const item = z.string().meta({ "x-mcp-header": "Item" });
  server.registerTool("price", { inputSchema: z.object({ item }) }, (args) => ({
    content: [{ type: "text", text: `${args.item} costs 7` }],
  }));
  server.registerTool("count", {}, async (context) => {
    const token = context.mcpReq._meta?.progressToken;
    for (const progress of [1, 2, 3])
      if (token !== undefined)
        await context.mcpReq.notify({
          method: "notifications/progress",
          params: { progress, total: 3, progressToken: token },
        });
    return { content: [{ type: "text", text: "counted" }] };
  });
  server.registerTool("wait", {}, async (context) => {
    await new Promise((resolve) => context.mcpReq.signal.addEventListener("abort", resolve));
    return { content: [] };
  });
  return server;
}

/** Both lifecycles at one URL, as they recommend it. */
async function handler(t: TestContext): Promise<{ readonly url: string; readonly change: () => void }> {
  const mcp = createMcpHandler(() => official());
  const port = await listening(t, toNodeHandler(mcp) as never);
  return { url: `http://localhost:${port}/mcp`, change: () => mcp.notify.toolsChanged() };
}

async function withSessions(t: TestContext): Promise<string> {
  const transports = new Map<string, NodeStreamableHTTPServerTransport>();
  const port = await listening(t, (request, response) => {
    const [incoming, outgoing] = [request as IncomingMessage, response as ServerResponse];
    const known = transports.get(String(incoming.headers["mcp-session-id"]));
    if (known) {
      void known.handleRequest(incoming, outgoing);
      return;
    }
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void transports.set(session, transport),
    });
    void official()
      .connect(transport)
      .then(() => transport.handleRequest(incoming, outgoing));
  });
  return `http://localhost:${port}/mcp`;
}

async function visiting(t: TestContext, url: string, options?: ConnectOptions): Promise<Client> {
  const client = await connect(http(url), info, {
    onError: (error) => t.after(() => Promise.reject(error)),
    ...options,
  });
  t.after(() => client.close());
  return client;
}

const text = ({ content }: { readonly content: readonly unknown[] }): string => (content[0] as { text: string }).text;

async function visit(client: Client): Promise<void> {
  const names: string[] = [];
  for await (const { name } of client.tools()) names.push(name);
  assert.deepEqual(names, ["price", "count", "wait"]);
  const prices = await Promise.all(["a", "ü", " padded "].map((item) => client.callTool("price", { item })));
  assert.deepEqual(prices.map(text), ["a costs 7", "ü costs 7", " padded  costs 7"]);
  const progress: number[] = [];
  assert.equal(
    text(await client.callTool("count", {}, { onProgress: (report) => progress.push(report.progress) })),
    "counted",
  );
  assert.deepEqual(progress, [1, 2, 3]);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  await assert.rejects(client.callTool("wait", {}, { signal: stop.signal }), AbortError);
}

describe("servers of @modelcontextprotocol/server over HTTP", () => {
  test("stateless, found out by itself", async (t) => {
    const { url, change } = await handler(t);
    const client = await visiting(t, url);
    assert.equal(client.revision.version, "2026-07-28");
    await visit(client);
    const changes: unknown[] = [];
    await using watching = client.subscribe({ tools: true }, (each) => void changes.push(each));
    await watching.ready;
    change();
    await eventually(() => changes.length > 0, "the change");
  });

  test("its fallback for handshakes", async (t) => {
    const { url } = await handler(t);
    const client = await visiting(t, url, { lifecycle: "handshake" });
    assert.equal(client.revision.version, "2025-11-25");
    assert.equal(text(await client.callTool("price", { item: "a" })), "a costs 7");
  });

  test("with sessions", async (t) => {
    const client = await visiting(t, await withSessions(t));
    assert.equal(client.revision.lifecycle, "handshake");
    await visit(client);
  });
});
