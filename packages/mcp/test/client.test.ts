import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AbortError } from "@x/jsonrpc";
import { CapabilityError, connect } from "@x/mcp/client";
import { type Fields, Scripted, info, legacy, meet, modern, text } from "./scripted.ts";

const META = "io.modelcontextprotocol/";

const named = (name: string): Fields => ({ name, inputSchema: { type: "object" } });

describe("a client's calls", () => {
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
