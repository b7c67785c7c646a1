import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  AbortError,
  type Peer,
  RpcError,
  TimeoutError,
  type Transport,
  createPeer,
  implement,
  memoryPair,
} from "@x/jsonrpc";
import { VersionError, connect } from "@x/mcp/client";
import { Scripted, info, legacy, meet, text } from "./scripted.ts";

describe("a client in the handshake lifecycle", () => {
  test("offers its newest revision, says initialized, then works (LIFE-01, LIFE-04, LIFE-08, LIFE-09)", async () => {
    const { server, client } = await meet(
      { ...legacy, "tools/call": () => text("hi") },
      { lifecycle: "handshake", capabilities: { experimental: { "com.example/x": {} } } },
    );
    assert.deepEqual((await client.callTool("a")).content, [{ type: "text", text: "hi" }]);
    assert.deepEqual(server.methods, ["initialize", "notifications/initialized", "tools/call"]);
    assert.deepEqual(server.params("initialize"), {
      protocolVersion: "2025-11-25",
      capabilities: { experimental: { "com.example/x": {} } },
      clientInfo: info,
    });
    assert.deepEqual(server.params("tools/call"), { name: "a" });
    assert.equal(client.revision.version, "2025-11-25");
    assert.deepEqual(client.server, { name: "scripted", version: "1.0.0" });
    assert.equal(client.instructions, "Be kind.");
  });

  test("answers what the server asks on hearing initialized, though that is still being sent (LIFE-09, ROOT-02)", async () => {
    const [near, far] = memoryPair();
    const slow: Transport = {
      open: (receive) => near.open(receive),
      close: () => near.close(),
      async send(message) {
        await near.send(message);
        const isLast = "method" in message && message.method === "notifications/initialized";
        if (isLast) await new Promise((resolve) => setTimeout(resolve, 20));
      },
    };
    let roots: Promise<unknown> | undefined;
    const peer: Peer = createPeer(far, {
      service: implement({
        initialize: () => ({ protocolVersion: "2025-11-25", capabilities: {}, serverInfo: info }),
        "notifications/initialized": () => void (roots = peer.request("roots/list")),
      }),
    });
    const client = await connect(slow, info, { lifecycle: "handshake", roots: [{ uri: "file:///home" }] });
    assert.deepEqual(await roots, { roots: [{ uri: "file:///home" }] });
    await client.close();
  });

  test("takes an older revision that the server answers", async () => {
    const answer = { capabilities: {}, serverInfo: info, protocolVersion: "2024-11-05" };
    const { client } = await meet({ ...legacy, initialize: () => answer }, { lifecycle: "handshake" });
    assert.equal(client.revision.version, "2024-11-05");
  });

  for (const protocolVersion of ["2099-01-01", "2026-07-28", 5, undefined])
    test(`F02: ${JSON.stringify(protocolVersion)} as the answer to initialize ends the connection (LIFE-13)`, async () => {
      const server = new Scripted({ initialize: () => ({ protocolVersion, capabilities: {}, serverInfo: info }) });
      await assert.rejects(connect(server.transport, info, { lifecycle: "handshake" }), (error) => {
        assert.ok(error instanceof VersionError);
        assert.match(error.message, /answered initialize with version .*; this client speaks 2025-11-25, .*2024-11-05/);
        return true;
      });
      assert.deepEqual(server.methods, ["initialize"]);
    });

  test("an error as the answer to initialize is what connect rejects with (LIFE-14)", async () => {
    const refusal = new RpcError(-32602, "Unsupported protocol version", {
      supported: ["1.0"],
      requested: "2025-11-25",
    });
    const server = new Scripted({ initialize: () => refusal });
    await assert.rejects(connect(server.transport, info, { lifecycle: "handshake" }), {
      code: -32602,
      message: "Unsupported protocol version",
      data: { supported: ["1.0"], requested: "2025-11-25" },
    });
  });

  test("initialize is never cancelled, but connecting is given up (LIFE-07, CANC-03, TIME-01)", async () => {
    const silent = new Scripted({ initialize: () => undefined });
    await assert.rejects(connect(silent.transport, info, { timeout: 20 }), TimeoutError);
    const server = new Scripted({ initialize: () => undefined });
    const stop = new AbortController();
    const connecting = connect(server.transport, info, { lifecycle: "handshake", signal: stop.signal });
    stop.abort();
    await assert.rejects(connecting, AbortError);
    assert.ok(!silent.methods.includes("notifications/cancelled"));
    assert.ok(!server.methods.includes("notifications/cancelled"));
  });

  test("ids are never null and never come again (BASE-03, BASE-04)", async () => {
    const { server, client } = await meet({ ...legacy, "tools/call": () => text("hi") });
    for (let i = 0; i < 5; i++) await client.callTool("a");
    const ids = server.heard.flatMap((message) => ("id" in message ? [message.id] : []));
    assert.ok(ids.every((id) => typeof id === "number" || typeof id === "string"));
    assert.equal(new Set(ids).size, ids.length);
  });

  test("answers ping, and refuses what it was not asked to answer (BASE-11, PING-01)", async () => {
    const { server, client } = await meet(legacy);
    server.say({ id: 0, method: "ping" });
    server.say({ id: "p", method: "ping", params: {} });
    server.say({ id: 2, method: "no/such" });
    server.say({ method: "notifications/nothing" });
    await client.request("tools/list").catch(() => {});
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(server.answers.slice(0, 2), [
      { jsonrpc: "2.0", id: 0, result: {} },
      { jsonrpc: "2.0", id: "p", result: {} },
    ]);
    assert.equal((server.answers[2] as { error: { code: number } }).error.code, -32601);
    assert.equal(server.answers.length, 3);
    await client.close();
  });
});
