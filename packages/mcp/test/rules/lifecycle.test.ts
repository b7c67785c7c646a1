// Area 2 of docs/spec/rules.md: how peers meet, as far as other tests leave it open.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RpcError, memoryPair } from "@x/jsonrpc";
import { tap } from "@x/jsonrpc/testing";
import { type Implementation, revisions } from "@x/mcp";
import { connect } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { both, joined, scripted } from "../joined.ts";
import { Scripted, info, legacy, meet, modern } from "../scripted.ts";
import { echoServer } from "../wire.ts";

test("the end of the connection is all there is of an end: nothing is said before it (LIFE-18)", async () => {
  for (const lifecycle of ["handshake", "stateless"] as const) {
    const [near, far] = memoryPair();
    const said: unknown[] = [];
    const connection = echoServer().connect(far);
    const transport = tap(near, ({ direction, message }) => direction === "out" && said.push(message));
    const client = await connect(transport, info, { lifecycle });
    const { length } = said;
    await client.close();
    await connection.closed;
    assert.equal(said.length, length);
  }
});

const whole = (name: string): Implementation => ({
  name,
  version: "1.0.0",
  title: `The ${name}`,
  description: `What ${name} is for`,
  websiteUrl: "https://example.com",
  icons: [{ src: "https://example.com/i.png", mimeType: "image/png", sizes: ["48x48", "any"], theme: "dark" }],
});

test("both sides introduce themselves with all that they have (LIFE-21, ICON-01, ICON-02)", async () => {
  const server = new McpServer(whole("server"));
  let met: unknown;
  server.tool("who", {}, (_args, { client }) => {
    met = client.info;
  });
  for (const { version } of revisions) {
    const [near, far] = memoryPair();
    server.connect(far);
    const only = revisions.filter((revision) => revision.version === version);
    const client = await connect(near, whole("client"), { revisions: only });
    assert.deepEqual(client.server, whole("server"), version);
    await client.callTool("who");
    assert.deepEqual(met, whole("client"), version);
    await client.close();
  }
});

test("what peers call themselves changes nothing (STATE-12)", async () => {
  for (const version of both) {
    const lists = [];
    for (const name of ["claude", "", "evil'; --"]) {
      const [near, far] = memoryPair();
      echoServer().connect(far);
      const only = revisions.filter((revision) => revision.version === version);
      const client = await connect(near, { name, version: "9" }, { revisions: only });
      lists.push(JSON.stringify([await client.listTools(), await client.callTool("echo", { text: "hi" })]));
      await client.close();
    }
    assert.equal(new Set(lists).size, 1);
  }
});

describe("a stateless server", () => {
  test("that answers the probe is met in a version that it names (ERA-04, DISC-05)", async () => {
    const { client, server } = await meet(modern);
    assert.equal(client.revision.version, "2026-07-28");
    assert.deepEqual(server.methods, ["server/discover"]);
  });

  for (const code of [-32020, -32021])
    test(`that refuses the probe with ${code} is one all the same: there is no initialize (ERA-05, ERA-11, ERA-16)`, async () => {
      const server = new Scripted({ ...legacy, "server/discover": () => new RpcError(code, "no") });
      await assert.rejects(connect(server.transport, info), { code });
      assert.deepEqual(server.methods, ["server/discover"]);
    });

  test("-32022 never leads to initialize where another stateless version is named (ERA-16)", async () => {
    const refusal = new RpcError(-32022, "no", { supported: ["2099-01-01", "2025-11-25"], requested: "2026-07-28" });
    const server = new Scripted({ ...legacy, "server/discover": () => refusal });
    const client = await connect(server.transport, info).catch((error: Error) => error.name);
    // One of the versions is a handshake's, which both speak: that one is spoken after initialize alone.
    assert.ok(typeof client === "string" ? client === "VersionError" : client.revision.lifecycle === "handshake");
  });

  test("-32022 that names nothing says nothing (ERA-06)", async () => {
    const refusal = new RpcError(-32022, "no", { supported: [], requested: "2026-07-28" });
    const { client } = await meet({ ...legacy, "server/discover": () => refusal });
    assert.equal(client.revision.lifecycle, "handshake");
  });
});

describe("how a server was met", () => {
  test("is kept while the process lives, and found out anew when it proves wrong (ERA-13, ERA-14)", async () => {
    let script = legacy;
    const servers: Scripted[] = [];
    const start = (): Scripted["transport"] => {
      servers.push(new Scripted(script));
      return servers.at(-1)!.transport;
    };
    assert.equal((await connect(start, info)).revision.lifecycle, "handshake");
    assert.equal((await connect(start, info)).revision.lifecycle, "handshake");
    assert.deepEqual(servers[1]?.methods, ["initialize", "notifications/initialized"]);
    script = modern;
    assert.equal((await connect(start, info)).revision.lifecycle, "stateless");
    assert.deepEqual(servers[2]?.methods, ["initialize"]);
    assert.deepEqual(servers[3]?.methods, ["server/discover"]);
    assert.equal((await connect(start, info)).revision.lifecycle, "stateless");
    assert.equal(servers.length, 5);
  });
});

describe("extensions", () => {
  test("are named with a prefix, or the server is not made (EXT-02)", () => {
    for (const id of ["tasks", "/tasks", "com.example/", "com example/x", "1.example/x"])
      assert.throws(() => new McpServer(info, { extensions: { [id]: {} } }), {
        name: "TypeError",
        message: new RegExp(`the extension id ${JSON.stringify(id)} has no prefix`),
      });
    assert.ok(new McpServer(info, { extensions: { "com.example/x": {}, "io.modelcontextprotocol/ui": {} } }));
  });

  for (const version of both)
    test(`of each side are seen by the other, with their settings (EXT-01, EXT-03, EXT-10, ${version})`, async () => {
      const server = new McpServer(info, {
        extensions: { "com.example/server": { level: 2 }, "com.example/plain": {} },
      });
      let seen: unknown;
      server.tool("look", {}, (_args, { client }) => {
        seen = client.capabilities.extensions;
      });
      const extensions = { "com.example/client": { modes: ["a"] } };
      const client = await joined(server, version, { capabilities: { extensions } });
      assert.deepEqual(client.capabilities.extensions, {
        "com.example/server": { level: 2 },
        "com.example/plain": {},
      });
      await client.callTool("look");
      assert.deepEqual(seen, extensions);
    });

  test("are off where nobody has asked for them (EXT-07)", async () => {
    const { client, asked } = await scripted("2026-07-28", { tools: {} }, { "tools/list": () => ({ tools: [] }) });
    await client.listTools();
    const meta = asked[0]?.params["_meta"] as { [key: string]: object };
    assert.deepEqual(meta["io.modelcontextprotocol/clientCapabilities"], {});
    assert.equal((await joined(echoServer(), "2026-07-28")).capabilities.extensions, undefined);
  });

  for (const shown of [
    null,
    {},
    { taskId: 7, status: "working" },
    { taskId: "t" },
    { taskId: "t", status: "thinking" },
    { taskId: "t", status: "working", pollIntervalMs: "soon" },
    { taskId: "t", status: "input_required", inputRequests: "all" },
    { taskId: "t", status: "input_required", inputRequests: null },
  ])
    test(`data that makes no sense ends the call, it is not asked after for ever: ${JSON.stringify(shown)} (EXT-09)`, async () => {
      const offer = { tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } };
      const task = { resultType: "task", taskId: "t", status: "working", pollIntervalMs: 1 };
      const first = await scripted(
        "2026-07-28",
        offer,
        { "tools/call": () => ({ ...shown, resultType: "task" }) },
        { tasks: true },
      );
      await assert.rejects(first.client.callTool("x"), /The server has shown .*, which is no task|which is no result/);
      const later = { "tools/call": () => task, "tasks/get": () => shown };
      const { client } = await scripted("2026-07-28", offer, later, { tasks: true });
      await assert.rejects(client.callTool("x"), /The server has shown .*, which is no task/);
    });
});
