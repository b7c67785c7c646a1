import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { revisions } from "@x/mcp";
import { McpServer } from "@x/mcp/server";
import { Wire, echoServer, hello, resultOf, stateless, textOf } from "./wire.ts";

const META = "io.modelcontextprotocol/";
const call = { name: "echo", arguments: { text: "hi" } };

describe("a server in the stateless lifecycle", () => {
  test("any request may come first (DISC-02, ERA-02)", async () => {
    const answer = await Wire.to(echoServer()).ask("tools/call", stateless(call));
    assert.equal(textOf(answer), "hi");
  });

  test("server/discover says what there is, identity in _meta (DISC-01, DISC-03, DISC-04, STATE-11, CACHE-01)", async () => {
    const wire = Wire.to(echoServer({ instructions: "Say something." }));
    assert.deepEqual(await wire.ask("server/discover", stateless()), {
      jsonrpc: "2.0",
      id: 1,
      result: {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { logging: {}, tools: { listChanged: true } },
        instructions: "Say something.",
        ttlMs: 0,
        cacheScope: "private",
        _meta: { [`${META}serverInfo`]: { name: "echo", version: "1.0.0" } },
      },
    });
  });

  test("a declared feature answers, an undeclared one is -32601 (DISC-07, BASE-34)", async () => {
    const empty = Wire.to(new McpServer({ name: "empty", version: "1.0.0" }));
    assert.deepEqual(resultOf(await empty.ask("server/discover", stateless()))["capabilities"], { logging: {} });
    assert.equal((await empty.ask("tools/list", stateless())).error?.code, -32601);
  });

  test("every result is marked complete and says who it is from (BASE-20, BASE-21, STATE-11)", async () => {
    const wire = Wire.to(echoServer());
    for (const [method, params] of [["server/discover"], ["tools/list"], ["tools/call", call]] as [string, object?][]) {
      const { result } = await wire.ask(method, stateless(params));
      assert.equal(result?.["resultType"], "complete", method);
      assert.deepEqual(result["_meta"], { [`${META}serverInfo`]: { name: "echo", version: "1.0.0" } }, method);
    }
  });

  test("tools/list has caching hints (CACHE-01, CACHE-03, CACHE-13)", async () => {
    const { result } = await Wire.to(echoServer()).ask("tools/list", stateless());
    assert.equal(result?.["ttlMs"], 0);
    assert.equal(result["cacheScope"], "private");
  });

  test("clientInfo may be missing (STATE-03)", async () => {
    const answer = await Wire.to(echoServer()).ask("tools/call", stateless(call, { [`${META}clientInfo`]: undefined }));
    assert.equal(textOf(answer), "hi");
  });

  test("without _meta, or without one of its required keys, a request is -32602 (STATE-01, STATE-02, STATE-04)", async () => {
    const wire = Wire.to(echoServer());
    for (const params of [
      undefined,
      {},
      { _meta: {} },
      stateless({}, { [`${META}protocolVersion`]: undefined }),
      stateless({}, { [`${META}protocolVersion`]: 20260728 }),
      stateless({}, { [`${META}clientCapabilities`]: undefined }),
      stateless({}, { [`${META}clientCapabilities`]: "all" }),
    ]) {
      const { error } = await wire.ask("tools/list", params);
      assert.equal(error?.code, -32602, JSON.stringify(params));
      assert.match(error.message, /_meta|initialize/);
    }
  });

  test("an earlier request on the connection lends nothing to a later one (BASE-56, STATE-06)", async () => {
    const wire = Wire.to(echoServer());
    assert.ok((await wire.ask("tools/list", stateless())).result);
    assert.equal((await wire.ask("tools/list")).error?.code, -32602);
  });

  for (const version of ["1900-01-01", "2099-12-31", "2025-11-25"])
    test(`${version} in _meta is -32022 with what could be asked for (STATE-09, BASE-37)`, async () => {
      const { error } = await Wire.to(echoServer()).ask(
        "tools/list",
        stateless({}, { [`${META}protocolVersion`]: version }),
      );
      assert.equal(error?.code, -32022);
      assert.deepEqual(error.data, { supported: ["2026-07-28"], requested: version });
    });

  test("what belongs to a handshake is unknown here (STATE-15, PING-06, ERA-17)", async () => {
    const wire = Wire.to(echoServer());
    for (const method of ["initialize", "ping", "logging/setLevel", "resources/subscribe", "tasks/list"])
      assert.equal((await wire.ask(method, stateless(hello))).error?.code, -32601, method);
  });

  test("both eras at once, on one connection too (ERA-01, ERA-02, ERA-17)", async () => {
    const wire = Wire.to(echoServer());
    assert.equal(textOf(await wire.ask("tools/call", stateless(call))), "hi");
    assert.equal((await wire.ask("initialize", hello)).result?.["protocolVersion"], "2025-11-25");
    wire.notify("notifications/initialized");
    const { result } = await wire.ask("tools/call", call);
    assert.deepEqual(result, { content: [{ type: "text", text: "hi" }] });
    assert.equal((await wire.ask("tools/call", stateless(call))).result?.["resultType"], "complete");
  });

  test("a server of stateless revisions alone names them when initialize comes (ERA-15)", async () => {
    const modern = revisions.filter(({ lifecycle }) => lifecycle === "stateless");
    const { error } = await Wire.to(echoServer({ revisions: modern })).ask("initialize", hello);
    assert.ok(error);
    assert.match(JSON.stringify(error), /2026-07-28/);
  });

  test("a server of handshake revisions alone does not claim stateless requests", async () => {
    const old = revisions.filter(({ lifecycle }) => lifecycle === "handshake");
    const { error } = await Wire.to(echoServer({ revisions: old })).ask("server/discover", stateless());
    assert.deepEqual(error, { code: -32602, message: '"server/discover" came before "initialize"' });
  });

  test("clients on one connection don't mix: each answer goes to its request (BASE-57, STDIO-15)", async () => {
    const wire = Wire.to(echoServer());
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        wire.ask("tools/call", stateless({ name: "echo", arguments: { text: `${i}` } })),
      ),
    );
    assert.deepEqual(
      answers.map(textOf),
      Array.from({ length: 50 }, (_, i) => `${i}`),
    );
  });
});
