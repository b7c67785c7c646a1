// Asking for the places that a server may work in (client/roots).
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { memoryPair } from "@x/jsonrpc";
import type { Root } from "@x/mcp";
import { connect } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { both, joined, scripted, settle, until } from "../joined.ts";
import { Wire, resultOf, stateless, textOf } from "../wire.ts";

type Fields = { readonly [name: string]: unknown };

const CHANGED = "notifications/roots/list_changed";
const home: Root = { uri: "file:///home/ada", name: "Home", _meta: { "com.example/a": 1 } };

function looking(): McpServer {
  const server = new McpServer({ name: "looks", version: "1.0.0" });
  server.tool("look", {}, async (_args, { listRoots }) => JSON.stringify(await listRoots()));
  return server;
}

const seenBy = async (client: Awaited<ReturnType<typeof joined>>): Promise<unknown> => {
  const [block] = (await client.callTool("look")).content;
  return JSON.parse(block?.type === "text" ? block.text : "null");
};

describe("a server that asks for roots", () => {
  test("sends a request after a handshake (ROOT-02, BASE-11)", async () => {
    const wire = await Wire.greeted(looking(), "2024-11-05", { capabilities: { roots: {} } });
    const call = wire.ask("tools/call", { name: "look" });
    await wire.answer("roots/list", { roots: [home] });
    assert.deepEqual(JSON.parse(textOf(await call)), [home]);
  });

  test("is answered by the question without one (ROOT-03)", async () => {
    const wire = Wire.to(looking());
    const meta = { "io.modelcontextprotocol/clientCapabilities": { roots: {} } };
    const { inputRequests } = resultOf(await wire.ask("tools/call", stateless({ name: "look" }, meta)));
    assert.deepEqual(inputRequests, { roots: { method: "roots/list", params: {} } });
    const params = stateless({ name: "look", inputResponses: { roots: { roots: [home] } } }, meta);
    assert.deepEqual(JSON.parse(textOf(await wire.ask("tools/call", params))), [home]);
  });

  test("asks nobody who doesn't declare them (ROOT-12, LIFE-16)", async () => {
    const wire = await Wire.greeted(looking());
    assert.match(
      textOf(await wire.ask("tools/call", { name: "look" })),
      /the client does not declare \{"roots":\{\}\}/,
    );
    assert.equal(
      wire.received.some((message) => "method" in message),
      false,
    );
    const { error } = await Wire.to(looking()).ask("tools/call", stateless({ name: "look" }));
    assert.deepEqual([error?.code, error?.data], [-32021, { requiredCapabilities: { roots: {} } }]);
  });

  for (const roots of [undefined, "file:///", [{}], [null], [{ uri: 7 }]])
    test(`takes ${JSON.stringify(roots)} for no answer (ROOT-04)`, async () => {
      const wire = await Wire.greeted(looking(), "2025-11-25", { capabilities: { roots: {} } });
      const call = wire.ask("tools/call", { name: "look" });
      await wire.answer("roots/list", { roots });
      assert.match(textOf(await call), /is not a result of roots\/list/);
    });

  test("hears of changes where it listens, and asks again (ROOT-05, ROOT-12)", async () => {
    const server = looking();
    let changes = 0;
    server.notification(CHANGED, () => changes++);
    let roots: Root[] = [home];
    const client = await joined(server, "2025-11-25", { roots: () => roots });
    assert.deepEqual(await seenBy(client), [home]);
    roots = [];
    await client.rootsChanged();
    await until(() => changes === 1);
    assert.deepEqual(await seenBy(client), []);
  });
});

const gone = (): never => {
  throw new Error("the disk is gone");
};

describe("a client with roots", () => {
  for (const [version, roots, declared] of [
    ["2025-11-25", [home], { listChanged: true }],
    ["2024-11-05", [home], { listChanged: true }],
    ["2025-11-25", undefined, undefined],
  ] as const)
    test(`declares ${JSON.stringify(declared)} at initialize (ROOT-01, CAP-02, ${version})`, async () => {
      const offers: Fields[] = [];
      const initialize = ({ capabilities }: Fields): object => {
        offers.push(capabilities as Fields);
        return { protocolVersion: version, capabilities: {}, serverInfo: { name: "s", version: "1" } };
      };
      await scripted(version, {}, { initialize }, { roots });
      assert.deepEqual(offers[0]?.["roots"], declared);
    });

  test("declares them with each request in 2026-07-28, where no change is announced (ROOT-01, ROOT-06, CAP-02)", async () => {
    const notified: unknown[] = [];
    const { client, asked } = await scripted(
      "2026-07-28",
      { tools: {} },
      { "tools/list": () => ({ tools: [] }), [CHANGED]: () => notified.push(1) },
      { roots: [home] },
    );
    await client.listTools();
    await client.listTools();
    for (const { params } of asked) {
      const meta = params["_meta"] as Fields;
      assert.deepEqual(meta["io.modelcontextprotocol/clientCapabilities"], { roots: {} });
    }
    await client.rootsChanged();
    await settle();
    assert.deepEqual(notified, []);
  });

  test("announces nothing where it has none", async () => {
    const notified: unknown[] = [];
    const { client } = await scripted("2025-11-25", {}, { [CHANGED]: () => notified.push(1) });
    await client.rootsChanged();
    await settle();
    assert.deepEqual(notified, []);
  });

  for (const uri of [
    "https://example.com/",
    "/home/ada",
    "file:/home",
    "file:///home/../etc",
    "file:///home/%2e%2E/etc",
    "file:///home/..",
    "file:///home/..%2fetc",
    "file:///C:\\home\\..\\etc",
  ])
    test(`never shows ${uri} (ROOT-04, ROOT-09)`, async () => {
      const message = `a root is a file: URI without "..", got ${JSON.stringify(uri)}`;
      const [near] = memoryPair();
      await assert.rejects(connect(near, { name: "t", version: "1" }, { roots: [{ uri }] }), {
        name: "TypeError",
        message,
      });
      const faults: unknown[] = [];
      const onError = (error: unknown): unknown => faults.push(error);
      const { peer } = await scripted("2025-11-25", {}, {}, { roots: () => [{ uri }], onError });
      await assert.rejects(peer.request("roots/list"), { code: -32603, message: "Internal error" });
      assert.equal(String(faults[0]), `TypeError: ${message}`);
    });

  test("may have any other, with dots in its name too (ROOT-04)", async () => {
    const roots = [home, { uri: "file:///home/a..b/..c/d.." }, { uri: "file://server/share" }, { uri: "FILE:///x" }];
    for (const version of both) {
      const client = await joined(looking(), version, { roots });
      assert.deepEqual(await seenBy(client), roots);
    }
  });

  test("without any answers -32601; a fault of its own is -32603 (ROOT-07)", async () => {
    const none = await scripted("2025-11-25", {}, {});
    await assert.rejects(none.peer.request("roots/list"), { code: -32601 });
    const { peer } = await scripted("2025-11-25", {}, {}, { roots: gone, onError: () => {} });
    await assert.rejects(peer.request("roots/list"), { code: -32603, message: "Internal error" });
  });
});
