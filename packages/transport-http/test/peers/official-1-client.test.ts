// Clients of the first official generation (@modelcontextprotocol/sdk) visit a server of ours over HTTP.
import assert from "node:assert/strict";
import { type TestContext, describe, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { type Shop, shop } from "./shop.ts";
import { eventually } from "../serve.ts";

interface Visit {
  readonly client: Client;
  readonly changes: { count: number };
  readonly errors: Error[];
}

async function visiting(t: TestContext, transport: unknown): Promise<Visit> {
  const client = new Client({ name: "official", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  const changes = { count: 0 };
  const errors: Error[] = [];
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes.count++);
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { count: 3 } }));
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has no other way
  client.onerror = (error) => void errors.push(error);
  await client.connect(transport as Transport);
  t.after(() => client.close());
  return { client, changes, errors };
}

const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? "";

/** Whatever every kind of connection has to be able to do. */
async function visit({ client, changes, errors }: Visit, { aborted }: Shop): Promise<void> {
  const { tools } = await client.listTools();
  assert.equal(tools.length, 7);
  const prices = await Promise.all(
    ["a", "b", "c"].map((item) => client.callTool({ name: "price", arguments: { item } })),
  );
  assert.deepEqual(prices.map(text), ["a costs 7", "b costs 7", "c costs 7"]);
  const progress: number[] = [];
  const onprogress = (report: { progress: number }): void => void progress.push(report.progress);
  assert.equal(text(await client.callTool({ name: "count" }, undefined, { onprogress })), "counted");
  assert.deepEqual(progress, [1, 2, 3]);
  assert.equal(text(await client.callTool({ name: "order" })), "ordered 3");
  const failed = await client.callTool({ name: "fail" });
  assert.deepEqual([failed.isError, text(failed)], [true, "out of stock"]);
  await assert.rejects(client.callTool({ name: "nothing" }), /Unknown tool/);
  const stop = new AbortController();
  const waiting = client.callTool({ name: "wait" }, undefined, { signal: stop.signal });
  setTimeout(() => stop.abort("bored"), 50);
  await assert.rejects(waiting);
  await eventually(() => aborted.length === 1, "the abort");
  await client.callTool({ name: "grow" });
  await eventually(() => changes.count === 1, "the change");
  await client.ping();
  assert.deepEqual(
    errors.filter((error) => !/aborted|AbortError/.test(String(error))),
    [],
  );
}

describe("@modelcontextprotocol/sdk over HTTP", () => {
  test("sessions: list, calls at once, progress, a question, cancel, a change, errors", async (t) => {
    const place = await shop(t);
    const transport = new StreamableHTTPClientTransport(new URL(place.url));
    const guest = await visiting(t, transport);
    const session = transport.sessionId ?? "";
    assert.match(session, /^[\x21-\x7e]+$/);
    await visit(guest, place);
    await transport.terminateSession();
    const headers = { "Mcp-Session-Id": session, Accept: "text/event-stream" };
    assert.equal((await fetch(place.url, { headers })).status, 404);
  });

  test("E04: it comes back for an answer whose stream was closed", async (t) => {
    const place = await shop(t);
    const { client } = await visiting(t, new StreamableHTTPClientTransport(new URL(place.url)));
    assert.equal(text(await client.callTool({ name: "slow" })), "came back");
  });

  test("without sessions", async (t) => {
    const place = await shop(t, { sessions: false });
    const { client } = await visiting(t, new StreamableHTTPClientTransport(new URL(place.url)));
    assert.equal((await client.listTools()).tools.length, 7);
    assert.equal(text(await client.callTool({ name: "price", arguments: { item: "a" } })), "a costs 7");
    const progress: number[] = [];
    const onprogress = (report: { progress: number }): void => void progress.push(report.progress);
    await client.callTool({ name: "count" }, undefined, { onprogress });
    assert.deepEqual(progress, [1, 2, 3]);
  });

  test("SSE-01 SSE-02 SSE-03 SSE-05 SSE-11: the transport of 2024-11-05, two clients at once", async (t) => {
    const place = await shop(t, { oldClients: true });
    // oxlint-disable-next-line typescript/no-deprecated -- what this option is for
    const guests = await Promise.all([1, 2].map(() => visiting(t, new SSEClientTransport(new URL(place.url)))));
    await visit(guests[0]!, place);
    assert.equal(text(await guests[1]!.client.callTool({ name: "price", arguments: { item: "b" } })), "b costs 7");
    const current = await visiting(t, new StreamableHTTPClientTransport(new URL(place.url)));
    assert.equal((await current.client.listTools()).tools.length, 8);
  });
});
