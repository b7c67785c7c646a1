// Area 3 of docs/spec/rules.md: giving up, progress, pings, as far as other tests leave it open.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { memoryPair } from "@x/jsonrpc";
import { tap } from "@x/jsonrpc/testing";
import { connect } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { both, joined, scripted, settle, until } from "../joined.ts";
import { Wire, echoServer, stateless } from "../wire.ts";

type Fields = { readonly [name: string]: unknown };
const CANCELLED = "notifications/cancelled";

for (const version of both)
  describe(`giving a call up (${version})`, () => {
    test("names the request and the reason, while it runs; never one that was answered (CANC-01, CANC-02, CANC-16)", async () => {
      const told: unknown[] = [];
      const { client, peer } = await scripted(
        version,
        { tools: {} },
        {
          "tools/call": ({ name }) => (name === "quick" ? { content: [] } : new Promise(() => {})),
          [CANCELLED]: (params) => told.push(params),
        },
      );
      const stop = new AbortController();
      await client.callTool("quick", {}, { signal: stop.signal });
      const slow = client.callTool("slow", {}, { signal: stop.signal });
      await settle();
      stop.abort(new Error("enough"));
      await assert.rejects(slow, { name: "AbortError" });
      await until(() => told.length > 0);
      assert.equal(told.length, 1);
      const { requestId, reason, ...rest } = told[0] as Fields;
      assert.ok(typeof requestId === "number" || typeof requestId === "string");
      assert.deepEqual([reason, rest], ["enough", {}]);
      await peer.close();
    });

    test("each call has its own time, and progress may give it more, up to a limit (TIME-03, TIME-04, TIME-05)", async () => {
      const server = new McpServer({ name: "slow", version: "1.0.0" });
      server.tool("work", {}, async (_args, { progress, signal }) => {
        for (let i = 1; !signal.aborted && i < 100; i++) {
          progress(i);
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        return "done";
      });
      const client = await joined(server, version, { timeout: 10_000 });
      const timesOut = async (ms: number, options: object): Promise<void> => {
        const start = performance.now();
        const expected = { name: "TimeoutError", message: `No answer to "tools/call" within ${ms} ms` };
        await assert.rejects(client.callTool("work", {}, options), expected);
        assert.ok(performance.now() - start >= ms - 1);
      };
      await timesOut(40, { timeout: 40 });
      await timesOut(40, { timeout: 40, onProgress: () => {} });
      await timesOut(150, { timeout: 60, resetTimeoutOnProgress: true, maxTotalTimeout: 150 });
      await client.close();
    });
  });

describe("a server that ends subscriptions", () => {
  test("answers them, then names them, and names nothing else (CANC-17, CANC-18, SUBS-14)", async () => {
    const server = echoServer();
    const wire = Wire.to(server);
    const notifications = { toolsListChanged: true };
    for (const id of ["a", 7]) void wire.ask("subscriptions/listen", stateless({ notifications }), id);
    const mine = wire.ask("subscriptions/listen", stateless({ notifications }), "mine");
    await until(() => wire.heard("notifications/subscriptions/acknowledged").length === 3);
    wire.notify(CANCELLED, { requestId: "mine" });
    await settle();
    void mine;
    const before = wire.received.length;
    await server.close();
    await settle();
    const last = wire.received.slice(before);
    assert.deepEqual(
      last.map((message) => ("method" in message ? message.method : "result")),
      ["result", "result", CANCELLED, CANCELLED],
    );
    assert.deepEqual(wire.heard(CANCELLED), [{ requestId: "a" }, { requestId: 7 }]);
  });

  for (const [how, end] of [
    ["by a result", (id: unknown) => [{ id, result: { resultType: "complete" } }]],
    ["by a notification", (requestId: unknown) => [{ method: CANCELLED, params: { requestId } }]],
    [
      "by both",
      (id: unknown) => [
        { id, result: {} },
        { method: CANCELLED, params: { requestId: id } },
      ],
    ],
    [
      "by both, the other way round",
      (id: unknown) => [
        { method: CANCELLED, params: { requestId: id } },
        { id, result: {} },
      ],
    ],
  ] as const)
    test(`${how}: the client takes it for the end, and can subscribe again (SUBS-14, SUBS-16)`, async () => {
      const { client, server } = await meetListening();
      const subscription = client.subscribe({ tools: true }, () => {});
      await subscription.ready;
      for (const message of end(server.lastListen())) server.say(message);
      assert.equal(await subscription.closed, undefined);
      await subscription.close();
      assert.equal(server.methods.filter((method) => method === CANCELLED).length, 0);
      const again = client.subscribe({ tools: true }, () => {});
      await again.ready;
      await again.close();
      await client.close();
    });
});

/** A client and a scripted server that agrees to every subscription. */
async function meetListening(): Promise<{
  readonly client: Awaited<ReturnType<typeof connect>>;
  readonly server: { say(message: object): void; lastListen(): unknown; readonly methods: string[] };
}> {
  const { Scripted, modern } = await import("../scripted.ts");
  let last: unknown;
  const server: InstanceType<typeof Scripted> = new Scripted({
    ...modern,
    "subscriptions/listen": ({ notifications }, id) => {
      last = id;
      const _meta = { "io.modelcontextprotocol/subscriptionId": id };
      server.say({ method: "notifications/subscriptions/acknowledged", params: { notifications, _meta } });
      return undefined;
    },
  });
  const client = await connect(server.transport, { name: "t", version: "1" });
  return {
    client,
    server: {
      say: (message) => server.say(message),
      lastListen: () => last,
      get methods() {
        return server.methods;
      },
    },
  };
}

for (const version of both)
  describe(`a subscription says when it is over (${version})`, () => {
    test("undefined where it was closed, the error where it was lost: a host subscribes again on its next client (SUBS-16)", async () => {
      const server = new McpServer({ name: "s", version: "1.0.0" });
      server.tool("first", {}, () => "");
      const client = await joined(server, version);
      const closed = client.subscribe({ tools: true }, () => {});
      await closed.ready;
      await closed.close();
      assert.equal(await closed.closed, undefined);

      const heard: unknown[] = [];
      const subscribed = async (): Promise<unknown> => {
        const next = await joined(server, version);
        const subscription = next.subscribe({ tools: true }, (change) => heard.push(change));
        await subscription.ready;
        const lost = subscription.closed;
        setTimeout(() => void next.close());
        return await lost;
      };
      assert.equal(((await subscribed()) as Error).name, "ClosedError");
      const again = await joined(server, version);
      const subscription = again.subscribe({ tools: true }, (change) => heard.push(change));
      await subscription.ready;
      server.tool("second", {}, () => "");
      await until(() => heard.length > 0);
      assert.deepEqual(heard, [{ list: "tools" }]);
      await again.close();
      const late = again.subscribe({ tools: true }, () => {});
      assert.equal(((await late.closed) as Error).name, "ClosedError");
    });
  });

describe("progress", () => {
  for (const version of both)
    test(`may be fractions, with or without a total, or none at all (PROG-06, PROG-09, ${version})`, async () => {
      const server = new McpServer({ name: "p", version: "1.0.0" });
      server.tool("fractions", {}, (_args, { progress }) => {
        for (const [done, total] of [
          [0.25, 1.5],
          [0.5, undefined],
          [1.5, 1.5],
        ] as const)
          progress(done, total);
      });
      server.tool("silent", {}, () => "");
      const client = await joined(server, version);
      const heard: unknown[] = [];
      const onProgress = ({ progress, total }: { progress: number; total?: number }): unknown =>
        heard.push([progress, total]);
      await client.callTool("fractions", {}, { onProgress });
      assert.deepEqual(heard, [
        [0.25, 1.5],
        [0.5, undefined],
        [1.5, 1.5],
      ]);
      await client.callTool("silent", {}, { onProgress });
      assert.equal(heard.length, 3);
    });

  test("is of calls that run: others' tokens, and those of calls that are over, are nobody's (PROG-10)", async () => {
    const heard: unknown[] = [];
    const faults: unknown[] = [];
    let token: unknown;
    const { client, peer } = await scripted(
      "2025-11-25",
      { tools: {} },
      {
        "tools/call": async ({ _meta }) => {
          ({ progressToken: token } = _meta as { progressToken: unknown });
          for (const progressToken of ["other", 99, undefined, token])
            await peer.notify("notifications/progress", { progressToken, progress: 1 });
          return { content: [] };
        },
      },
      { onError: (error) => faults.push(error) },
    );
    await client.callTool("x", {}, { onProgress: (progress) => heard.push(progress) });
    await peer.notify("notifications/progress", { progressToken: token, progress: 2 });
    await settle();
    assert.deepEqual(heard, [{ progressToken: token, progress: 1 }]);
    assert.deepEqual(faults, []);
  });
});

describe("a ping", () => {
  for (const version of both)
    test(`is answered by whatever a server has to answer (PING-01, ${version})`, async () => {
      const said: string[] = [];
      const [near, far] = memoryPair();
      echoServer().connect(far);
      const lifecycle = version === "2026-07-28" ? "stateless" : "handshake";
      const transport = tap(near, ({ direction, message }) => {
        if (direction === "out") said.push((message as { method: string }).method);
      });
      const client = await connect(transport, { name: "t", version: "1" }, { lifecycle });
      await client.ping();
      assert.equal(said.at(-1), lifecycle === "handshake" ? "ping" : "server/discover");
    });

  test("that isn't answered in time is a TimeoutError, for the host to take its connection for dead (PING-02, PING-04)", async () => {
    const { client, peer } = await scripted("2025-11-25", {}, { ping: () => new Promise(() => {}) });
    await assert.rejects(client.ping({ timeout: 20 }), {
      name: "TimeoutError",
      message: 'No answer to "ping" within 20 ms',
    });
    await peer.close();
  });
});
