import assert from "node:assert/strict";
import { test } from "node:test";
import { type ProtocolServer, fetchHandler, nodeListener } from "../src/index.ts";
import { probe } from "./mcp.ts";
import { listening, postBytes, raw, statusOf } from "./serve.ts";

const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
const HELLO = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "early", version: "1.0.0" } },
});

/** A server that says what HTTP has to know of it when it is let. */
function slow(): { server: ProtocolServer; load: () => void; fail: (error: Error) => void } {
  const { server } = probe();
  let load!: () => void;
  let fail!: (error: Error) => void;
  const loaded = new Promise<void>((resolve, reject) => {
    load = resolve;
    fail = reject;
  });
  const http = async (): ReturnType<typeof server.http> => {
    await loaded;
    return await server.http();
  };
  return { server: { connect: (transport, options) => server.connect(transport, options), http }, load, fail };
}

const post = (body: string): Request =>
  new Request("http://localhost/", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body,
  });

test("requests that come while the server loads are answered once it has", async (t) => {
  const { server, load } = slow();
  const headers = { Accept: "application/json, text/event-stream" };
  const port = await listening(t, nodeListener(server));
  const early = raw(port, postBytes(HELLO, headers));
  await new Promise((resolve) => setTimeout(resolve, 20));
  load();
  assert.equal(statusOf(await early), 200);
  assert.match(await early, /"serverInfo"/);
});

test("a handler that closes while it loads serves nobody", async () => {
  const { server, load } = slow();
  const handle = fetchHandler(server);
  const early = handle(post(PING));
  const closed = handle.close();
  load();
  assert.equal((await early).status, 503);
  await closed;
});

test("a server that can't be loaded is answered for with 500, and reported", async () => {
  const { server, fail } = slow();
  const errors: unknown[] = [];
  const handle = fetchHandler(server, { onError: (error) => errors.push(error) });
  fail(new Error("a file is missing"));
  for (let i = 0; i < 2; i++) {
    const response = await handle(post(PING));
    assert.equal(response.status, 500);
    assert.deepEqual(await response.json(), {
      jsonrpc: "2.0",
      error: { code: -32603, message: "The server could not be loaded" },
    });
  }
  assert.deepEqual(
    errors.map((error) => (error as Error).message),
    ["a file is missing", "a file is missing"],
  );
  await handle.close();
});
