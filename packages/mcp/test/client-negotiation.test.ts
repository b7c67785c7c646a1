import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RpcError } from "@x/jsonrpc";
import { connect } from "@x/mcp/client";
import { until } from "./joined.ts";
import { Scripted, info, legacy, meet, modern } from "./scripted.ts";

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
    await until(() => server.methods.length === 4);
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

  test("hedge: Infinity waits for the answer to the probe", async () => {
    const server = new Scripted({
      "server/discover": (params, id) => {
        setTimeout(() => server.say({ id, result: modern["server/discover"]!(params, id) }), 20);
        return undefined;
      },
    });
    const client = await connect(server.transport, info, { hedge: Infinity });
    assert.equal(client.revision.version, "2026-07-28");
    assert.deepEqual(server.methods, ["server/discover"]);
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
});
