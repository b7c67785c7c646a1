// Our client visits servers of the first official generation (@modelcontextprotocol/sdk) over HTTP.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type TestContext, describe, test } from "node:test";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { type EventStore, StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { AbortError } from "@x/jsonrpc";
import { type Client, connect } from "@x/mcp/client";
import { z } from "zod";
import { type HttpOptions, http } from "../../src/index.ts";
import { eventually, listening, pause } from "../serve.ts";

const info = { name: "ours", version: "1.0.0" };

function official(): McpServer {
  const server = new McpServer({ name: "official", version: "1.0.0" });
  server.registerTool("price", { inputSchema: { item: z.string() } }, ({ item }) => ({
    content: [{ type: "text", text: `${item} costs 7` }],
  }));
  server.registerTool("count", {}, async ({ _meta, sendNotification }) => {
    for (const progress of [1, 2, 3])
      if (_meta?.progressToken !== undefined)
        await sendNotification({
          method: "notifications/progress",
          params: { progress, total: 3, progressToken: _meta.progressToken },
        });
    return { content: [{ type: "text", text: "counted" }] };
  });
  server.registerTool("order", {}, async () => {
    const requestedSchema = { type: "object" as const, properties: { count: { type: "integer" as const } } };
    const answer = await server.server.elicitInput({ message: "How many?", requestedSchema });
    return { content: [{ type: "text", text: `${answer.action} ${String(answer.content?.["count"])}` }] };
  });
  server.registerTool("wait", {}, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { content: [] };
  });
  server.registerTool("slow", {}, async ({ closeSSEStream }) => {
    closeSSEStream?.();
    await pause(100);
    return { content: [{ type: "text", text: closeSSEStream ? "came back" : "stayed" }] };
  });
  server.registerTool("grow", {}, () => {
    server.registerTool("grown", {}, () => ({ content: [] }));
    return { content: [] };
  });
  return server;
}

/** Events of a server of theirs, all of them. */
class Kept implements EventStore {
  readonly #events: { readonly stream: string; readonly message: never }[] = [];

  storeEvent(stream: string, message: unknown): Promise<string> {
    return Promise.resolve(String(this.#events.push({ stream, message: message as never })));
  }

  async replayEventsAfter(
    id: string,
    { send }: { send: (id: string, message: never) => Promise<void> },
  ): Promise<string> {
    const { stream } = this.#events[Number(id) - 1]!;
    for (const [index, event] of this.#events.entries())
      if (index >= Number(id) && event.stream === stream) await send(String(index + 1), event.message);
    return stream;
  }
}

/** Sessions as the first generation's examples have them. */
async function withSessions(t: TestContext): Promise<string> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const port = await listening(t, (request, response) => {
    const [incoming, outgoing] = [request as IncomingMessage, response as ServerResponse];
    const id = incoming.headers["mcp-session-id"] as string | undefined;
    const known = id === undefined ? undefined : transports.get(id);
    if (known) {
      void known.handleRequest(incoming, outgoing);
      return;
    }
    if (id !== undefined) {
      outgoing.writeHead(404).end();
      return;
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new Kept(),
      retryInterval: 30,
      onsessioninitialized: (session) => void transports.set(session, transport),
      onsessionclosed: (session) => void transports.delete(session),
    });
    void official()
      .connect(transport as Transport)
      .then(() => transport.handleRequest(incoming, outgoing));
  });
  return `http://localhost:${port}/mcp`;
}

/** A server for each request. */
async function withoutSessions(t: TestContext): Promise<string> {
  const port = await listening(t, (request, response) => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined as never });
    void official()
      .connect(transport as Transport)
      .then(() => transport.handleRequest(request as IncomingMessage, response as ServerResponse));
  });
  return `http://localhost:${port}/mcp`;
}

/** The transport of 2024-11-05. */
async function withEvents(t: TestContext): Promise<string> {
  // oxlint-disable-next-line typescript/no-deprecated -- what our client has to meet
  const transports = new Map<string, SSEServerTransport>();
  const port = await listening(t, (request, response) => {
    const [incoming, outgoing] = [request as IncomingMessage, response as ServerResponse];
    const url = new URL(incoming.url ?? "", "http://localhost");
    if (incoming.method === "GET") {
      // oxlint-disable-next-line typescript/no-deprecated -- what our client has to meet
      const transport = new SSEServerTransport("/messages", outgoing);
      transports.set(transport.sessionId, transport);
      return void official().connect(transport);
    }
    const transport = transports.get(url.searchParams.get("sessionId") ?? "");
    if (url.pathname !== "/messages" || !transport) return void outgoing.writeHead(404).end();
    return void transport.handlePostMessage(incoming, outgoing);
  });
  return `http://localhost:${port}/sse`;
}

async function visiting(t: TestContext, url: string, options?: HttpOptions): Promise<Client> {
  const client = await connect(http(url, options), info, {
    onError: (error) => t.after(() => Promise.reject(error)),
    elicit: () => ({ action: "accept", content: { count: 3 } }),
  });
  t.after(() => client.close());
  return client;
}

const text = ({ content }: { readonly content: readonly unknown[] }): string => (content[0] as { text: string }).text;

async function visit(client: Client): Promise<void> {
  const names: string[] = [];
  for await (const { name } of client.tools()) names.push(name);
  assert.deepEqual(names, ["price", "count", "order", "wait", "slow", "grow"]);
  const prices = await Promise.all(["a", "ü", "c"].map((item) => client.callTool("price", { item })));
  assert.deepEqual(prices.map(text), ["a costs 7", "ü costs 7", "c costs 7"]);
  const progress: number[] = [];
  assert.equal(
    text(await client.callTool("count", {}, { onProgress: (report) => progress.push(report.progress) })),
    "counted",
  );
  assert.deepEqual(progress, [1, 2, 3]);
}

async function visitWithState(client: Client): Promise<void> {
  await visit(client);
  assert.equal(text(await client.callTool("order")), "accept 3");
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 30);
  await assert.rejects(client.callTool("wait", {}, { signal: stop.signal }), AbortError);
  const changes: unknown[] = [];
  await using _watching = client.subscribe({ tools: true }, (change) => void changes.push(change));
  await client.callTool("grow");
  await eventually(() => changes.length > 0, "the change");
}

describe("servers of @modelcontextprotocol/sdk over HTTP", () => {
  test("with sessions", async (t) => {
    const client = await visiting(t, await withSessions(t));
    assert.equal(client.revision.version, "2025-11-25");
    await visitWithState(client);
  });

  test("E04: they close a stream, and the answer is fetched", async (t) => {
    const client = await visiting(t, await withSessions(t));
    assert.equal(text(await client.callTool("slow")), "came back");
  });

  test("HTTP-60: a session that they have forgotten is started anew", async (t) => {
    const [first, second] = [await withSessions(t), await withSessions(t)];
    let url = first;
    const client = await visiting(t, first, { fetch: (_url, init) => fetch(url, init) });
    assert.equal(text(await client.callTool("price", { item: "a" })), "a costs 7");
    url = second;
    assert.equal(text(await client.callTool("price", { item: "b" })), "b costs 7");
  });

  test("without sessions", async (t) => {
    await visit(await visiting(t, await withoutSessions(t)));
  });

  test("SSE-12 SSE-13: over the transport of 2024-11-05", async (t) => {
    await visitWithState(await visiting(t, await withEvents(t)));
  });
});
