import assert from "node:assert/strict";
import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { type TestContext, describe, test } from "node:test";
import { McpServer } from "@x/mcp/server";
import { type StreamableOptions, nodeListener } from "../src/index.ts";
import { meta, probe } from "./mcp.ts";
import { eventually, listening, pause, postBytes, raw, statusOf } from "./serve.ts";

const claim = {
  "MCP-Protocol-Version": "2026-07-28",
  "Mcp-Method": "tools/call",
  Accept: "application/json, text/event-stream",
};
const callBody = (name: string, args: object = {}, id: unknown = 1, more = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, _meta: meta(more) } });
const call = (name: string, headers: Record<string, string> = {}, args = {}): string =>
  postBytes(callBody(name, args), { ...claim, "Mcp-Name": name, ...headers });

const start = async (t: TestContext, options?: StreamableOptions): Promise<number> =>
  await listening(t, nodeListener(probe().server, options));

/** A call with one header line more. */
const also = (line: string): string => call("echo").replace("\r\n\r\n", `\r\n${line}\r\n\r\n`);

describe("bad input on a socket", () => {
  test("a header that is there twice says neither", async (t) => {
    const port = await start(t);
    assert.equal(statusOf(await raw(port, also("Mcp-Name: wait"))), 400);
    assert.equal(statusOf(await raw(port, also("Mcp-Method: tools/list"))), 400);
    assert.equal(statusOf(await raw(port, also("MCP-Protocol-Version: 2025-11-25"))), 400);
    assert.equal(statusOf(await raw(port, also("Origin: http://localhost\r\nOrigin: http://evil.example.com"))), 403);
    assert.equal(statusOf(await raw(port, also("Content-Length: 5"))), 400);
    assert.equal(statusOf(await raw(port, also("Transfer-Encoding: chunked"))), 400);
  });

  test("a header that contradicts the body, or has bytes that no header has", async (t) => {
    const port = await start(t);
    assert.equal(statusOf(await raw(port, call("echo", { "Mcp-Name": "wait" }))), 400);
    const bytes = Buffer.from(call("echo", { "Mcp-Name": "ech\u00f6" }), "latin1");
    assert.equal(statusOf(await raw(port, bytes)), 400);
    assert.equal(statusOf(await raw(port, call("echo", { "Mcp-Name": "echo\u0001" }))), 400);
    const injected = call("echo", { "Mcp-Param-Region": "a\r\nMcp-Name: wait" });
    assert.equal(statusOf(await raw(port, injected)), 400);
  });

  test("paths and hosts that play tricks", async (t) => {
    const port = await start(t, { path: "/mcp" });
    const to = (target: string, host = "localhost"): Promise<string> =>
      raw(port, call("echo", { Host: host }).replace("POST / ", `POST ${target} `));
    assert.equal(statusOf(await to("/mcp")), 200);
    for (const target of ["/mcp/", "//mcp", "/./mcp", "/MCP", "/mcp%00", "/x/../mcp", "http://evil.example.com/mcp"])
      assert.equal(statusOf(await to(target)), 404, target);
    assert.equal(statusOf(await to("/mcp?path=/other#x")), 200);
    assert.equal(statusOf(await to("/mcp", "")), 403);
    assert.equal(statusOf(await to("/mcp", "localhost\u0000.evil.com")), 400);
  });

  test("half a body, then nothing, then gone", async (t) => {
    const { server, started } = probe();
    const port = await listening(t, nodeListener(server, { bodyTimeout: 10_000 }));
    const bytes = call("wait");
    const socket = connect(port, "127.0.0.1");
    socket.write(bytes.slice(0, -10));
    await pause(30);
    socket.destroy();
    await pause(30);
    assert.equal(started.count, 0);
    assert.equal(statusOf(await raw(port, call("echo", {}, { text: "alive" }))), 200);
  });

  test("requests of one connection that follow each other without waiting", async (t) => {
    const port = await start(t);
    const one = call("echo", { Connection: "keep-alive" }, { text: "first" });
    const response = await raw(port, one + one + call("echo", {}, { text: "last" }), /last/);
    assert.equal(response.match(/HTTP\/1\.1 200/g)?.length, 3);
    assert.equal(response.match(/"first"/g)?.length, 2);
  });

  test("a client that goes in the middle of a call takes the call with it, and nothing else", async (t) => {
    const { server, aborted, started } = probe();
    const port = await listening(t, nodeListener(server));
    const sockets = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const socket = connect(port, "127.0.0.1");
        await once(socket, "connect");
        socket.write(call("wait"));
        return socket;
      }),
    );
    await eventually(() => started.count === 50);
    for (const socket of sockets) socket.resetAndDestroy();
    await eventually(() => aborted.length === 50);
    assert.equal(statusOf(await raw(port, call("echo"))), 200);
  });

  test("a client that doesn't read makes the sender wait, and is given up when too much waits", async (t) => {
    const { server } = probe();
    let sent = 0;
    let gone = false;
    server.tool("flood", {}, async (_args, context) => {
      context.signal.addEventListener("abort", () => (gone = true));
      for (; !context.signal.aborted && sent < 5000; sent++)
        await context.notify("notifications/message", { level: "info", data: "x".repeat(100_000) });
      return "done";
    });
    const port = await listening(t, nodeListener(server, { maxBuffered: 1_000_000 }));
    const socket = connect(port, "127.0.0.1");
    socket.pause();
    socket.write(call("flood"));
    await eventually(() => sent > 5);
    await pause(200);
    const waiting = sent;
    await pause(200);
    assert.equal(sent, waiting, "who awaits what it sends is made to wait");
    socket.destroy();
    await eventually(() => gone);
  });

  test("who doesn't wait loses its client, not the memory", async (t) => {
    const { server } = probe();
    let gone = false;
    server.tool("burst", {}, async (_args, context) => {
      context.signal.addEventListener("abort", () => (gone = true));
      for (let i = 0; i < 300; i++)
        void context.notify("notifications/message", { level: "info", data: "x".repeat(100_000) });
      await pause(1000);
      return "done";
    });
    const port = await listening(t, nodeListener(server, { maxBuffered: 1_000_000 }));
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.pause();
    socket.write(call("burst"));
    await eventually(() => gone);
  });
});

describe("many", () => {
  test("a thousand idle listen streams, and a change that reaches them all", async (t) => {
    const server = new McpServer({ name: "many", version: "1.0.0" });
    server.tool("one", {}, () => "");
    const listener = nodeListener(server);
    const port = await listening(t, listener);
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "subscriptions/listen",
      params: { notifications: { toolsListChanged: true }, _meta: meta() },
    });
    const bytes = postBytes(body, { ...claim, "Mcp-Method": "subscriptions/listen", Connection: "keep-alive" });
    const heard = { acknowledged: 0, changed: 0, ended: 0 };
    const sockets: Socket[] = [];
    for (let i = 0; i < 1000; i++) {
      const socket = connect(port, "127.0.0.1");
      socket.setEncoding("latin1");
      socket.on("data", (text: string) => {
        if (text.includes("acknowledged")) heard.acknowledged++;
        if (text.includes("list_changed")) heard.changed++;
        if (text.includes('"resultType":"complete"')) heard.ended++;
      });
      await once(socket, "connect");
      socket.write(bytes);
      sockets.push(socket);
    }
    await eventually(() => heard.acknowledged === 1000);
    server.tool("two", {}, () => "");
    await eventually(() => heard.changed === 1000);
    await listener.close();
    await eventually(() => heard.ended === 1000);
    for (const socket of sockets) socket.destroy();
  });
});
