import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RpcError } from "@x/jsonrpc";
import { revisions } from "@x/mcp";
import { VersionError, connect } from "@x/mcp/client";
import { until } from "./joined.ts";
import { type Fields, Scripted, info, legacy, meet, modern, text } from "./scripted.ts";

const META = "io.modelcontextprotocol/";

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
    const { server, client } = await meet(
      { ...modern, "tools/call": () => text("hi") },
      {
        roots: [{ uri: "file:///home" }],
        elicit: () => assert.fail("a dialog outside of any call"),
      },
    );
    const asked = ["ping", "roots/list", "elicitation/create"];
    for (const [id, method] of asked.entries()) server.say({ id, method, params: {} });
    await client.callTool("a");
    await until(() => server.answers.length === asked.length);
    assert.ok(server.answers.every((answer) => "error" in answer && answer.error.code === -32601));
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
