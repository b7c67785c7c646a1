import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { McpServer } from "@x/mcp/server";
import { Wire, echoServer, hello, resultOf, textOf } from "./wire.ts";

const versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

describe("a server in the handshake lifecycle", () => {
  for (const protocolVersion of versions)
    test(`${protocolVersion} is echoed, and served after notifications/initialized (LIFE-03, LIFE-10)`, async () => {
      const wire = Wire.to(echoServer({ instructions: "Say something." }));
      const result = resultOf(await wire.ask("initialize", { ...hello, protocolVersion }));
      assert.equal(result["protocolVersion"], protocolVersion);
      assert.deepEqual(result["serverInfo"], { name: "echo", version: "1.0.0" });
      assert.equal(result["instructions"], "Say something.");
      assert.deepEqual((result["capabilities"] as { tools: unknown }).tools, { listChanged: true });
      wire.notify("notifications/initialized");
      assert.equal(textOf(await wire.ask("tools/call", { name: "echo", arguments: { text: "hi" } })), "hi");
    });

  for (const protocolVersion of ["1999-01-01", "2099-01-01", "2026-07-28", ""])
    test(`B10: ${JSON.stringify(protocolVersion)} is answered with the newest handshake revision (LIFE-11, LIFE-12)`, async () => {
      const { result } = await Wire.to(echoServer()).ask("initialize", { ...hello, protocolVersion });
      assert.equal(result?.["protocolVersion"], "2025-11-25");
    });

  test("a server that serves fewer revisions offers the newest of those (LIFE-12)", async () => {
    const { revisions } = await import("@x/mcp");
    const old = revisions.filter(({ version }) => version <= "2025-03-26");
    const { result } = await Wire.to(echoServer({ revisions: old })).ask("initialize", hello);
    assert.equal(result?.["protocolVersion"], "2025-03-26");
  });

  for (const [name, value] of [
    ["protocolVersion", undefined],
    ["protocolVersion", 20251125],
    ["capabilities", undefined],
    ["capabilities", []],
    ["clientInfo", undefined],
    ["clientInfo", { version: "1" }],
  ] as const)
    test(`initialize with ${name} ${JSON.stringify(value)} is -32602 and names it (LIFE-02)`, async () => {
      const wire = Wire.to(echoServer());
      const { error } = await wire.ask("initialize", { ...hello, [name]: value });
      assert.equal(error?.code, -32602);
      assert.match(error.message, new RegExp(`"${name}" must be`));
      const second = await wire.ask("initialize", hello);
      assert.ok(second.result, "the client may try again");
    });

  test("a request before initialize is refused, and the answer says what is missing (LIFE-01)", async () => {
    const { error } = await Wire.to(echoServer()).ask("tools/list");
    assert.equal(error?.code, -32602);
    assert.match(error.message, /"tools\/list" came before "initialize".*protocolVersion/);
  });

  test("a request before notifications/initialized is refused, and the answer names the notification", async () => {
    const wire = Wire.to(echoServer());
    await wire.ask("initialize", hello);
    const { error } = await wire.ask("tools/list");
    assert.equal(error?.code, -32600);
    assert.match(error.message, /notifications\/initialized/);
    wire.notify("notifications/initialized");
    assert.ok((await wire.ask("tools/list")).result);
  });

  test("notifications/initialized before initialize counts for nothing", async () => {
    const wire = Wire.to(echoServer());
    wire.notify("notifications/initialized");
    await wire.ask("initialize", hello);
    assert.equal((await wire.ask("tools/list")).error?.code, -32600);
  });

  test("a second initialize is refused, and the first one holds", async () => {
    const wire = await Wire.greeted(echoServer(), "2025-03-26");
    const { error } = await wire.ask("initialize", hello);
    assert.equal(error?.code, -32600);
    assert.ok((await wire.ask("tools/list")).result);
  });

  test("B10: ping is answered at any time with an empty result (LIFE-05, PING-01, BASE-26)", async () => {
    const wire = Wire.to(echoServer());
    assert.deepEqual(await wire.ask("ping"), { jsonrpc: "2.0", id: 1, result: {} });
    await wire.ask("initialize", hello);
    assert.deepEqual((await wire.ask("ping")).result, {});
    wire.notify("notifications/initialized");
    assert.deepEqual((await wire.ask("ping", {})).result, {});
  });

  test("results have nothing of the stateless revision (LIFE-15)", async () => {
    const wire = await Wire.greeted(echoServer());
    const { result: list } = await wire.ask("tools/list");
    assert.deepEqual(Object.keys(list ?? {}), ["tools"]);
    const { result: called } = await wire.ask("tools/call", { name: "echo", arguments: { text: "hi" } });
    assert.deepEqual(Object.keys(called ?? {}), ["content"]);
  });

  test("methods of the stateless revision are unknown (LIFE-15)", async () => {
    const wire = await Wire.greeted(echoServer());
    for (const method of ["server/discover", "subscriptions/listen"])
      assert.equal((await wire.ask(method, { notifications: {} })).error?.code, -32601);
  });

  test("a feature that nothing is registered for is not declared and not there (CAP-01, CAP-03)", async () => {
    const wire = Wire.to(new McpServer({ name: "empty", version: "1.0.0" }));
    const result = resultOf(await wire.ask("initialize", hello));
    assert.ok(!("tools" in (result["capabilities"] as object)));
    wire.notify("notifications/initialized");
    assert.equal((await wire.ask("tools/list")).error?.code, -32601);
  });

  test("unknown capabilities and members are taken without a word (LIFE-20)", async () => {
    const wire = Wire.to(echoServer());
    const capabilities = { experimental: { "com.example/x": {} }, telepathy: { range: 3 } };
    assert.ok((await wire.ask("initialize", { ...hello, capabilities, colour: "red" })).result);
  });

  test("list_changed comes unasked, but not before notifications/initialized (LIFE-06, TOOL-08)", async () => {
    const server = echoServer();
    const early = Wire.to(server);
    await early.ask("initialize", hello);
    const greeted = await Wire.greeted(server);
    server.tool("another", {}, () => "");
    await Promise.all([early.ask("ping"), greeted.ask("ping")]);
    assert.equal(early.heard("notifications/tools/list_changed").length, 0);
    assert.equal(greeted.heard("notifications/tools/list_changed").length, 1);
  });

  test("each connection has its own handshake, in its own revision", async () => {
    const server = echoServer();
    const [one, two] = await Promise.all([Wire.greeted(server, "2024-11-05"), Wire.greeted(server, "2025-11-25")]);
    const three = Wire.to(server);
    assert.ok((await one.ask("tools/list")).result);
    assert.ok((await two.ask("tools/list")).result);
    assert.equal((await three.ask("tools/list")).error?.code, -32602);
  });
});

describe("batches", () => {
  const batch = [
    { jsonrpc: "2.0", id: "a", method: "ping" },
    { jsonrpc: "2.0", method: "notifications/nothing" },
    { jsonrpc: "2.0", id: "b", method: "ping" },
  ];

  test("are answered in 2025-03-26 (BASE-48, BASE-54)", async () => {
    const wire = await Wire.greeted(echoServer(), "2025-03-26");
    wire.send(batch);
    await wire.ask("ping");
    assert.deepEqual(wire.received[0], [
      { jsonrpc: "2.0", id: "a", result: {} },
      { jsonrpc: "2.0", id: "b", result: {} },
    ]);
  });

  for (const version of ["2025-11-25", "2025-06-18", "2024-11-05"])
    test(`are refused in ${version} (BASE-55, BASE-47)`, async () => {
      const wire = await Wire.greeted(echoServer(), version);
      wire.send(batch);
      await wire.ask("ping");
      const [refused] = wire.received as unknown as [{ id: unknown; error: { code: number; message: string } }];
      assert.equal(refused.error.code, -32600);
      assert.match(refused.error.message, /batches/);
    });

  test("can't hold initialize: before the handshake there are none (BASE-50)", async () => {
    const wire = Wire.to(echoServer());
    wire.send([{ jsonrpc: "2.0", id: "a", method: "initialize", params: { ...hello, protocolVersion: "2025-03-26" } }]);
    await wire.ask("ping");
    const [refused] = wire.received as unknown as [{ error: { code: number } }];
    assert.equal(refused.error.code, -32600);
  });
});
