import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { type Change, connect } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { http, nodeListener } from "../src/index.ts";
import { eventually, listening } from "./serve.ts";

const info = { name: "client", version: "1.0.0" };

test("a server that has lost its sessions is told again what to watch and what to log", async (t) => {
  const mcp = new McpServer({ name: "server", version: "1.0.0" });
  mcp.resource("note:///1", { name: "note" }, () => "text");
  mcp.tool("work", { description: "Works" }, (_args, { log }) => {
    log.debug("working");
    return "done";
  });
  let listener = nodeListener(mcp);
  const port = await listening(t, (request, response) => listener(request, response));
  t.after(() => listener.close());

  const logged: unknown[] = [];
  const changes: Change[] = [];
  const client = await connect(http(`http://localhost:${port}`, { reconnect: { initial: 20 } }), info, {
    lifecycle: "handshake",
    onLog: ({ data }) => logged.push(data),
  });
  t.after(() => client.close());
  await client.setLogLevel("debug");
  const watching = client.subscribe({ tools: true, uris: ["note:///1"] }, (change) => changes.push(change));
  await watching.ready;
  await client.callTool("work");
  await eventually(() => logged.length === 1);

  // As after a restart: nobody knows the session any more.
  const before = listener;
  listener = nodeListener(mcp);
  await before.close({ deadline: 0 });
  await client.callTool("work");
  await eventually(() => changes.length === 2);
  assert.deepEqual(changes.splice(0), [{ list: "tools" }, { resource: "note:///1" }]);

  mcp.resourceUpdated("note:///1");
  await eventually(() => changes.length === 1);
  assert.deepEqual(changes, [{ resource: "note:///1" }]);
  logged.length = 0;
  await client.callTool("work");
  await eventually(() => logged.includes("working"));
});

test("a session that could not be opened anew is opened with the next call", async (t) => {
  const mcp = new McpServer({ name: "server", version: "1.0.0" });
  mcp.tool("work", { description: "Works" }, () => "done");
  const first = nodeListener(mcp);
  let listener: typeof first = first;
  const port = await listening(t, (request, response) => listener(request, response));
  const client = await connect(http(`http://localhost:${port}`), info, { lifecycle: "handshake" });
  t.after(() => client.close());

  const second = nodeListener(mcp);
  t.after(() => second.close());
  let starting = true;
  // It knows no session any more, and is not ready for another yet.
  listener = Object.assign(
    (...[request, response]: Parameters<typeof first>) => {
      if (!starting || request.headers["mcp-session-id"] !== undefined) return second(request, response);
      return void (response as ServerResponse).writeHead(503).end();
    },
    { close: () => second.close() },
  );
  await first.close({ deadline: 0 });
  await assert.rejects(client.callTool("work"), /503/);
  starting = false;
  assert.deepEqual((await client.callTool("work")).content, [{ type: "text", text: "done" }]);
});
