import assert from "node:assert/strict";
import { test } from "node:test";
import { type StreamableOptions, nodeListener } from "../src/index.ts";
import { StreamReader } from "./events.ts";
import { type Headers, type Send, entries, post, probe } from "./mcp.ts";
import { eventually, listening } from "./serve.ts";
import { INIT, INITED } from "./visitor.ts";

const options: StreamableOptions = { oldClients: true };

const byHeader: StreamableOptions["verify"] = (request) => ({ principal: request.header("authorization") ?? "" });

const get = (send: Send, headers: Headers = {}): Promise<Response> =>
  send("GET", { Accept: "text/event-stream", ...headers });

for (const [entry, start] of entries) {
  test(`SSE-01 SSE-03 SSE-05: the first event names where to post, the others are messages, ${entry}`, async (t) => {
    const send = await start(t, probe().server, options);
    const stream = new StreamReader(await get(send));
    await eventually(() => stream.events.length === 1);
    const [first] = stream.events;
    assert.equal(first?.event, "endpoint");
    assert.match(first?.data ?? "", /^\/mcp\?sessionId=[\da-f-]{36}$/);
    await stream.cancel();
  });

  test(`SSE-06: a page that may not ask gets no stream, ${entry}`, async (t) => {
    const send = await start(t, probe().server, options);
    assert.equal((await get(send, { Origin: "http://evil.example.com" })).status, 403);
  });

  test(`without the option a GET is of a session, ${entry}`, async (t) => {
    const send = await start(t, probe().server);
    assert.equal((await get(send)).status, 400);
  });

  test(`SSE-11: other clients are served at the same URL, ${entry}`, async (t) => {
    const send = await start(t, probe().server, options);
    const opened = await post(send, INIT("2024-11-05"));
    assert.equal(opened.status, 200);
    const session = { "Mcp-Session-Id": opened.headers.get("mcp-session-id") ?? "" };
    await opened.text();
    assert.equal((await post(send, INITED, session)).status, 202);
    const response = await get(send, session);
    assert.equal(response.status, 200);
    await response.body?.cancel();
  });
}

test("SSE-10: another's connection, and one that has ended, are not found", async (t) => {
  const port = await listening(t, nodeListener(probe().server, { ...options, verify: byHeader }));
  const at = (path: string, init: RequestInit): Promise<Response> => fetch(`http://localhost:${port}${path}`, init);
  const response = await at("/mcp", { headers: { Accept: "text/event-stream", Authorization: "alice" } });
  const stream = new StreamReader(response);
  await eventually(() => stream.events.length === 1);
  const endpoint = stream.events[0]?.data ?? "";
  const ask = (who: string): Promise<Response> =>
    at(endpoint, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: who },
      body: JSON.stringify(INIT("2024-11-05")),
    });
  assert.equal((await ask("mallory")).status, 404);
  assert.equal((await ask("alice")).status, 202);
  await eventually(() => stream.messages.length === 1);
  await stream.cancel();
  let status = 0;
  for (let i = 0; i < 100 && status !== 404; i++) status = (await ask("alice")).status;
  assert.equal(status, 404);
});
