import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AbortError, RpcError, TimeoutError } from "@x/jsonrpc";
import { revisions } from "@x/mcp";
import { CapabilityError, type Client, type ConnectOptions, VersionError, connect } from "@x/mcp/client";
import { type Fields, type Script, Scripted, legacy, modern } from "./scripted.ts";

const info = { name: "test", version: "1.0.0" };
const META = "io.modelcontextprotocol/";

async function meet(script: Script, options?: ConnectOptions): Promise<{ server: Scripted; client: Client }> {
  const server = new Scripted(script);
  return { server, client: await connect(server.transport, info, options) };
}

const named = (name: string): Fields => ({ name, inputSchema: { type: "object" } });
const text = (words: string): Fields => ({ content: [{ type: "text", text: words }] });

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

describe("a client in the stateless lifecycle", () => {
  test("says the terms with every request, and keeps other _meta (STATE-01, STATE-02, STATE-03, BASE-14)", async () => {
    const { server, client } = await meet({
      ...modern,
      "tools/list": () => ({ tools: [] }),
      "tools/call": () => text("hi"),
    });
    for await (const _ of client.tools()) assert.fail();
    await client.callTool("a", { b: 1 }, { meta: { traceparent: "00-1-2-01" } });
    await client.request("com.example/anything").catch(() => {});
    for (const message of server.heard) {
      const { _meta } = message.params as { _meta: Fields };
      assert.equal(_meta[`${META}protocolVersion`], "2026-07-28", message.method);
      assert.deepEqual(_meta[`${META}clientInfo`], info);
      assert.ok(_meta[`${META}clientCapabilities`]);
    }
    assert.equal((server.params("tools/call")["_meta"] as Fields)["traceparent"], "00-1-2-01");
    assert.deepEqual(server.params("tools/call")["arguments"], { b: 1 });
    assert.ok(!server.methods.some((method) => method.startsWith("notifications/")));
  });

  test("sends no answer, whatever it is asked (BASE-13, STDIO-12)", async () => {
    const { server, client } = await meet({ ...modern, "tools/call": () => text("hi") });
    server.say({ id: 1, method: "ping" });
    await client.callTool("a");
    assert.ok(server.answers.every((answer) => "error" in answer));
  });

  test("a result without resultType is complete (BASE-22)", async () => {
    const { client } = await meet({ ...modern, "tools/call": () => text("hi") });
    assert.deepEqual((await client.callTool("a")).content, [{ type: "text", text: "hi" }]);
  });

  test("-32022 with a version that both speak: asked again in that (STATE-10, ERA-05)", async () => {
    const answers: unknown[] = [new RpcError(-32022, "no", { supported: ["2026-07-28"], requested: "2099-01-01" })];
    const { client, server } = await meet({
      ...modern,
      "server/discover": (params, id) => answers.shift() ?? modern["server/discover"]!(params, id),
    });
    assert.equal(client.revision.version, "2026-07-28");
    assert.deepEqual(server.methods, ["server/discover", "server/discover"]);
  });

  test("-32022 without one: it says what the server speaks, and no initialize is tried (ERA-05, STATE-10)", async () => {
    const refusal = new RpcError(-32022, "no", { supported: ["2099-01-01"], requested: "2026-07-28" });
    const server = new Scripted({ ...legacy, "server/discover": () => refusal });
    await assert.rejects(connect(server.transport, info), (error) => {
      assert.ok(error instanceof VersionError);
      assert.deepEqual(error.supported, ["2099-01-01"]);
      return true;
    });
    assert.ok(!server.methods.includes("initialize"));
  });

  test("-32022 or a discovery that names handshake revisions alone: they are met by initialize (ERA-18)", async () => {
    const refusal = new RpcError(-32022, "no", { supported: ["2025-11-25"], requested: "2026-07-28" });
    for (const answer of [refusal, { resultType: "complete", supportedVersions: ["2025-06-18"], capabilities: {} }]) {
      const { client } = await meet({ ...legacy, "server/discover": () => answer });
      assert.equal(client.revision.lifecycle, "handshake");
    }
  });

  test("a client that speaks stateless revisions alone asks first, and fails clearly (ERA-08)", async () => {
    const only = revisions.filter(({ lifecycle }) => lifecycle === "stateless");
    const server = new Scripted(legacy);
    await assert.rejects(connect(server.transport, info, { revisions: only }), { code: -32601 });
    assert.deepEqual(server.methods, ["server/discover"]);
  });
});

describe("a client, whichever server it meets", () => {
  for (const code of [-32601, -32602, -32600, -32000, -32603, -32700, 0, 7])
    test(`G01: ${code} to the probe means a handshake, on the same connection (ERA-03, ERA-06, ERA-07)`, async () => {
      const { server, client } = await meet({ ...legacy, "server/discover": () => new RpcError(code, "what?") });
      assert.equal(client.revision.lifecycle, "handshake");
      assert.deepEqual(server.methods, ["server/discover", "initialize", "notifications/initialized"]);
    });

  test("G01: a probe that is answered with something else means a handshake", async () => {
    for (const answer of [{}, { supportedVersions: "2026-07-28" }, { tools: [] }]) {
      const { client } = await meet({ ...legacy, "server/discover": () => answer });
      assert.equal(client.revision.lifecycle, "handshake");
    }
  });

  test("G01: a probe that is not answered means a handshake, soon, and is given up (ERA-06)", async () => {
    const { client, server } = await meet({ ...legacy, "server/discover": () => undefined }, { hedge: 10 });
    assert.equal(client.revision.lifecycle, "handshake");
    assert.deepEqual(server.methods, [
      "server/discover",
      "initialize",
      "notifications/initialized",
      "notifications/cancelled",
    ]);
  });

  test("a slow server that speaks both ways is held to the initialize that it was sent (ERA-02)", async () => {
    const server = new Scripted({
      "server/discover": () => undefined,
      initialize(params, id) {
        server.say({ id: 1, result: modern["server/discover"]!({}, 1) });
        return legacy["initialize"]!(params, id);
      },
    });
    const client = await connect(server.transport, info, { hedge: 10 });
    assert.equal(client.revision.lifecycle, "handshake");
    assert.equal(client.server?.name, "scripted");
  });

  test("a slow server that is stateless alone is met without a handshake", async () => {
    const server = new Scripted({
      "server/discover": () => undefined,
      initialize() {
        setTimeout(() => server.say({ id: 1, result: modern["server/discover"]!({}, 1) }), 5);
        return new RpcError(-32601, "Method not found");
      },
    });
    const client = await connect(server.transport, info, { hedge: 20 });
    assert.equal(client.revision.version, "2026-07-28");
    assert.ok(!server.methods.includes("notifications/initialized"));
  });

  test("lifecycle says how to meet it: nothing else is tried", async () => {
    const old = new Scripted(legacy);
    await connect(old.transport, info, { lifecycle: "handshake" });
    assert.deepEqual(old.methods, ["initialize", "notifications/initialized"]);
    const server = new Scripted(legacy);
    await assert.rejects(connect(server.transport, info, { lifecycle: "stateless" }), { code: -32601 });
    assert.deepEqual(server.methods, ["server/discover"]);
  });

  test("a server that ends says why calls fail", async () => {
    const { server, client } = await meet({ ...modern, "tools/call": () => undefined });
    const call = client.callTool("a");
    server.end();
    await assert.rejects(call, {
      name: "ClosedError",
      message: '"tools/call" was not answered: the connection has ended',
    });
    await client.closed;
    await assert.rejects(client.callTool("a"), /was not sent: the connection has ended/);
  });

  test("what the server did not declare is not asked for (LIFE-16)", async () => {
    const { server, client } = await meet({
      ...legacy,
      initialize: () => ({ protocolVersion: "2025-11-25", capabilities: {} }),
    });
    for (const call of [client.callTool("a"), client.listTools(), client.tools().next()])
      await assert.rejects(call, (error) => {
        assert.ok(error instanceof CapabilityError);
        assert.match(error.message, /"tools\/.*" was not sent: the server does not declare the capability "tools"/);
        return true;
      });
    assert.ok(!server.methods.some((method) => method.startsWith("tools/")));
  });

  test("B07: what a progress listener throws harms no one", async () => {
    const errors: unknown[] = [];
    const server = new Scripted({
      ...modern,
      "tools/call"({ _meta }) {
        const { progressToken } = _meta as Fields;
        for (const progress of [1, 2])
          server.say({ method: "notifications/progress", params: { progressToken, progress } });
        return text("hi");
      },
    });
    const client = await connect(server.transport, info, { onError: (error) => errors.push(error) });
    const result = await client.callTool(
      "a",
      {},
      {
        onProgress({ progress }) {
          if (progress === 1) throw new Error("sync");
          return Promise.reject(new Error("async"));
        },
      },
    );
    assert.deepEqual(result.content, [{ type: "text", text: "hi" }]);
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(errors.map(String), ["Error: sync", "Error: async"]);
  });

  test("H07: a token is sent where progress is wanted, and no two calls share one (PROG-01, PROG-03)", async () => {
    const { server, client } = await meet({ ...modern, "tools/call": () => text("hi") });
    await Promise.all([
      client.callTool("a", {}, { onProgress: () => {} }),
      client.callTool("a", {}, { onProgress: () => {} }),
    ]);
    await client.callTool("a", {});
    const tokens = server.heard
      .filter(({ method }) => method === "tools/call")
      .map(({ params }) => ((params as Fields)["_meta"] as Fields)["progressToken"]);
    assert.notEqual(tokens[0], undefined);
    assert.notEqual(tokens[0], tokens[1]);
    assert.equal(tokens[2], undefined);
  });

  test("giving a call up tells the server, with the reason; a late answer is dropped (CANC-13, CANC-14, CANC-07, TIME-02)", async () => {
    const errors: unknown[] = [];
    const { server, client } = await meet(
      { ...modern, "tools/call": () => undefined },
      { onError: (error) => errors.push(error) },
    );
    const stop = new AbortController();
    const call = client.callTool("a", {}, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await assert.rejects(
      call,
      (error: Error) => error instanceof AbortError && (error.cause as Error).message === "enough",
    );
    await assert.rejects(client.callTool("b", {}, { timeout: 10 }), {
      name: "TimeoutError",
      timeout: 10,
      method: "tools/call",
    });
    const ids = server.heard.flatMap((message) =>
      "id" in message && message.method === "tools/call" ? [message.id] : [],
    );
    const cancelled = server.heard.filter(({ method }) => method === "notifications/cancelled");
    assert.deepEqual(
      cancelled.map(({ params }) => (params as Fields)["requestId"]),
      ids,
    );
    assert.equal((cancelled[0]!.params as Fields)["reason"], "enough");
    for (const id of ids) server.say({ id, result: text("late") });
    await assert.rejects(client.request("no/such"), { code: -32601 });
    assert.equal(errors.length, 2, "told, and nothing else");
  });

  test("pages are followed to the end; an empty cursor is one, a repeated one ends in an error (PAGE-03, PAGE-05, PAGE-06, PAGE-08)", async () => {
    const pages: Record<string, Fields> = {
      first: { tools: [named("a")], nextCursor: "" },
      "": { tools: [], nextCursor: "ü {" },
      "ü {": { tools: [named("b"), named("c")] },
    };
    const { client } = await meet({ ...modern, "tools/list": ({ cursor = "first" }) => pages[cursor as string] });
    const names: string[] = [];
    for await (const { name } of client.tools()) names.push(name);
    assert.deepEqual(names, ["a", "b", "c"]);

    const endless = await meet({ ...modern, "tools/list": () => ({ tools: [named("a")], nextCursor: "again" }) });
    const collect = async (): Promise<void> => {
      for await (const _ of endless.client.tools());
    };
    await assert.rejects(collect, /The list has no end: the cursor "again" came twice/);
  });
});

describe("a client's subscription", () => {
  const interest = { tools: true };

  test("with a handshake hears what the server says unasked, until it is closed (TOOL-08)", async () => {
    const { server, client } = await meet({ ...legacy, ping: () => ({}) });
    const heard: unknown[] = [];
    const watching = client.subscribe(interest, (change) => heard.push(change));
    await watching.ready;
    server.say({ method: "notifications/tools/list_changed" });
    server.say({ method: "notifications/prompts/list_changed" });
    await client.request("ping");
    assert.deepEqual(heard, [{ list: "tools" }]);
    await watching.close();
    server.say({ method: "notifications/tools/list_changed" });
    await client.request("ping");
    assert.equal(heard.length, 1);
  });

  test("without one is a request that stays open, and several are told apart (SUBS-01, SUBS-09, SUBS-10, SUBS-11)", async () => {
    const ID = `${META}subscriptionId`;
    const ids: unknown[] = [];
    const server = new Scripted({
      ...modern,
      "tools/call": () => text(""),
      "subscriptions/listen"({ notifications }, id) {
        ids.push(id);
        server.say({
          method: "notifications/subscriptions/acknowledged",
          params: { notifications, _meta: { [ID]: id } },
        });
      },
    });
    const client = await connect(server.transport, info, { timeout: 50 });
    const heard: string[] = [];
    const one = client.subscribe(interest, () => heard.push("one"));
    const two = client.subscribe(interest, () => heard.push("two"));
    await Promise.all([one.ready, two.ready]);
    server.say({ method: "notifications/tools/list_changed", params: { _meta: { [ID]: ids[1] } } });
    server.say({ method: "notifications/tools/list_changed", params: { _meta: { [ID]: ids[0] } } });
    server.say({ method: "notifications/tools/list_changed", params: { _meta: { [ID]: "other" } } });
    await client.callTool("a");
    assert.deepEqual(heard, ["two", "one"]);

    // H08: the timeout of calls bounds the agreement alone.
    await new Promise((resolve) => setTimeout(resolve, 80));
    assert.ok(!server.methods.includes("notifications/cancelled"));
    await one.close();
    assert.deepEqual(server.params("notifications/cancelled")["requestId"], ids[0]);
    await client.close();
  });
});
