import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { McpServer } from "@x/mcp/server";
import { all, joined, scripted, settle } from "./joined.ts";
import { Wire, resultOf, stateless } from "./wire.ts";

const CACHEABLE = [
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
];

function shop(
  ...options: ConstructorParameters<typeof McpServer> extends [unknown, ...infer O] ? O : never
): McpServer {
  const server = new McpServer({ name: "shop", version: "1.0.0" }, ...options);
  server.tool("buy", {}, () => "bought");
  server.prompt("recommend", {}, () => "a book");
  server.resource("shop:stock", {}, () => "12");
  server.resource("shop:menu", { cache: { ttlMs: 86_400_000, cacheScope: "public" } }, () => "soup");
  server.resource("shop:{id}", {}, ({ id }) => ({ contents: [{ uri: `shop:${id}`, text: id }], ttlMs: 7 }));
  return server;
}

const hints = (result: object): unknown => {
  const { ttlMs, cacheScope } = result as { ttlMs?: unknown; cacheScope?: unknown };
  return { ttlMs, cacheScope };
};

describe("hints", () => {
  test("are in every result that has them, without more ado 0 and private (CACHE-01, CACHE-03, CACHE-13)", async () => {
    const wire = Wire.to(shop());
    for (const method of CACHEABLE) {
      const answer = await wire.ask(method, stateless({ uri: "shop:stock" }));
      assert.deepEqual(hints(resultOf(answer)), { ttlMs: 0, cacheScope: "private" }, method);
    }
  });

  test("are the server's, the resource's own, or of one answer alone (CACHE-01)", async () => {
    const wire = Wire.to(shop({ cache: { ttlMs: 1000, cacheScope: "public" } }));
    for (const method of CACHEABLE)
      assert.deepEqual(hints(resultOf(await wire.ask(method, stateless({ uri: "shop:stock" })))), {
        ttlMs: 1000,
        cacheScope: "public",
      });
    const read = async (uri: string): Promise<unknown> =>
      hints(resultOf(await wire.ask("resources/read", stateless({ uri }))));
    assert.deepEqual(await read("shop:menu"), { ttlMs: 86_400_000, cacheScope: "public" });
    assert.deepEqual(await read("shop:1"), { ttlMs: 7, cacheScope: "public" });
  });

  test("are the same on all pages (CACHE-16)", async () => {
    const server = shop({ pageSize: 1, cache: { ttlMs: 5, cacheScope: "public" } });
    const wire = Wire.to(server);
    const first = resultOf(await wire.ask("resources/list", stateless()));
    const second = resultOf(await wire.ask("resources/list", stateless({ cursor: first["nextCursor"] })));
    assert.deepEqual([hints(first), hints(second)], [hints({ ttlMs: 5, cacheScope: "public" }), hints(first)]);
  });

  test("are in no answer to older clients, nor in questions or other results (CACHE-02)", async () => {
    const server = shop();
    server.resource("shop:asks", {}, async (_variables, ctx) => JSON.stringify(await ctx.listRoots()));
    const greeted = await Wire.greeted(server);
    for (const method of CACHEABLE.slice(1))
      assert.deepEqual(hints(resultOf(await greeted.ask(method, { uri: "shop:menu" }))), hints({}), method);
    const wire = Wire.to(server);
    const meta = { "io.modelcontextprotocol/clientCapabilities": { roots: {} } };
    const asked = resultOf(await wire.ask("resources/read", stateless({ uri: "shop:asks" }, meta)));
    assert.deepEqual([asked["resultType"], hints(asked)], ["input_required", hints({})]);
    assert.deepEqual(hints(resultOf(await wire.ask("tools/call", stateless({ name: "buy" })))), hints({}));
  });

  test("an answer with hints that are none is the server's fault (CACHE-03)", async () => {
    const server = new McpServer({ name: "shop", version: "1.0.0" });
    server.resource("shop:1", {}, () => ({ contents: [], ttlMs: -5 }));
    const wire = Wire.to(server);
    assert.equal((await wire.ask("resources/read", stateless({ uri: "shop:1" }))).error?.code, -32603);
    assert.throws(() => shop({ cache: { ttlMs: -1 } }), /TypeError: cache.ttlMs must be a whole number/);
  });
});

/** A server that counts; `result` is what it adds to each answer. */
const counting = (
  result: (params: object) => object,
  capabilities: object = { resources: { subscribe: true }, tools: { listChanged: true } },
) => {
  let count = 0;
  return scripted("2026-07-28", capabilities, {
    "resources/read": (params) => ({ contents: [{ uri: params["uri"], text: String(++count) }], ...result(params) }),
    "tools/list": (params) => ({
      tools: [{ name: `t${++count}`, inputSchema: { type: "object" } }],
      ...result(params),
    }),
    "resources/list": () => ({ resources: [{ uri: "x:1", name: String(++count) }], ...result({}) }),
  });
};

const read = async ({ client }: Awaited<ReturnType<typeof counting>>, uri = "x:1", options = {}): Promise<string> => {
  const [content] = (await client.readResource(uri, options)).contents;
  return content && "text" in content ? content.text : "";
};

describe("a client", () => {
  test("keeps what is fresh, and asks again when it is not (CACHE-04, CACHE-05, CACHE-07)", async () => {
    const short = await counting(() => ({ ttlMs: 60 }));
    assert.equal(await read(short), "1");
    assert.equal(await read(short), "1");
    await new Promise((resolve) => setTimeout(resolve, 80));
    assert.equal(await read(short), "2");
    const none = await counting(() => ({ ttlMs: 0 }));
    assert.deepEqual([await read(none), await read(none)], ["1", "2"]);
  });

  for (const ttlMs of [undefined, -5, "1000", null, Number.NaN])
    test(`takes the ttlMs ${String(ttlMs)} for 0 (CACHE-06)`, async () => {
      const server = await counting(() => ({ ttlMs }));
      assert.deepEqual([await read(server), await read(server)], ["1", "2"]);
    });

  test("asks nothing of itself (CACHE-08)", async () => {
    const server = await counting(() => ({ ttlMs: 5 }));
    await read(server);
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(server.asked.length, 1);
  });

  test("answers nothing else with it: another URI, page, method or metadata (CACHE-11)", async () => {
    const server = await counting(() => ({ ttlMs: 60_000, nextCursor: "" }));
    assert.deepEqual(
      [await read(server, "x:1"), await read(server, "x:2"), await read(server, "x:1")],
      ["1", "2", "1"],
    );
    const first = await server.client.listTools();
    const empty = await server.client.listTools("");
    assert.deepEqual([first.items[0]?.name, empty.items[0]?.name], ["t3", "t4"]);
    assert.equal((await server.client.listTools()).items[0]?.name, "t3");
    assert.equal(await read(server, "x:1", { meta: { "example.com/tenant": "b" } }), "5");
    assert.equal(await read(server, "x:1"), "1");
  });

  test("each page ages on its own (CACHE-17, CACHE-18)", async () => {
    let count = 0;
    const pages = { first: { ttlMs: 60_000, nextCursor: "second" }, second: { ttlMs: 0 } };
    const { client } = await scripted(
      "2026-07-28",
      { tools: {} },
      {
        "tools/list": ({ cursor = "first" }) => ({ tools: [{ name: `t${++count}` }], ...pages[cursor as "first"] }),
      },
    );
    const names = async (): Promise<string[]> => (await all(client.tools())).map(({ name }) => name);
    assert.deepEqual(await names(), ["t1", "t2"]);
    assert.deepEqual(await names(), ["t1", "t3"]);
  });

  test("can be told to ask (CACHE-10)", async () => {
    const server = await counting(() => ({ ttlMs: 60_000 }));
    assert.deepEqual(
      [await read(server), await read(server, "x:1", { fresh: true }), await read(server)],
      ["1", "2", "2"],
    );
  });

  test("keeps nothing that came after questions (CACHE-02, CACHE-12)", async () => {
    let count = 0;
    const server = new McpServer({ name: "asks", version: "1.0.0" }, { cache: { ttlMs: 60_000 } });
    server.resource("x:1", {}, async (_variables, ctx) => {
      await ctx.listRoots();
      return String(++count);
    });
    const client = await joined(server, "2026-07-28", { roots: [] });
    await client.readResource("x:1");
    await client.readResource("x:1");
    assert.equal(count, 2);
  });

  test("shares nothing with other clients (CACHE-14, CACHE-15)", async () => {
    let count = 0;
    const server = new McpServer(
      { name: "counts", version: "1.0.0" },
      { cache: { ttlMs: 60_000, cacheScope: "private" } },
    );
    server.resource("x:1", {}, () => String(++count));
    const [one, two] = [await joined(server, "2026-07-28"), await joined(server, "2026-07-28")];
    await Promise.all([one.readResource("x:1"), two.readResource("x:1")]);
    assert.equal(count, 2);
  });

  test("forgets what the server says has changed (CACHE-20, CACHE-21)", async () => {
    const server = await counting(() => ({ ttlMs: 60_000 }));
    const { client, peer } = server;
    await read(server, "x:1");
    await read(server, "x:1/part");
    await read(server, "x:2");
    await client.listTools();
    await client.listResources();
    await peer.notify("notifications/resources/updated", { uri: "x:1/part" });
    await peer.notify("notifications/tools/list_changed");
    await settle();
    assert.equal(await read(server, "x:1"), "6");
    assert.equal(await read(server, "x:1/part"), "7");
    assert.equal(await read(server, "x:2"), "3");
    assert.equal((await client.listTools()).items[0]?.name, "t8");
    assert.equal((await client.listResources()).items[0]?.name, "5");
    await peer.notify("notifications/resources/list_changed");
    await settle();
    assert.equal((await client.listResources()).items[0]?.name, "9");
  });

  test("doesn't keep an answer that a change has overtaken (CACHE-20)", async () => {
    let answer!: (result: object) => void;
    const { client, asked, peer } = await scripted(
      "2026-07-28",
      { resources: {} },
      {
        "resources/read": () => new Promise((resolve) => (answer = resolve)),
      },
    );
    const result = { contents: [], ttlMs: 60_000 };
    const early = client.readResource("x:1");
    await settle();
    await peer.notify("notifications/resources/updated", { uri: "x:1" });
    await settle();
    answer(result);
    await early;
    const again = client.readResource("x:1");
    await settle();
    answer(result);
    await again;
    await client.readResource("x:1");
    assert.equal(asked.length, 2);
  });

  test("starts a list anew when a page that was kept leads nowhere (CACHE-18, CACHE-19)", async () => {
    const server = new McpServer({ name: "pages", version: "1.0.0" }, { pageSize: 2, cache: { ttlMs: 60_000 } });
    for (let i = 0; i < 5; i++) server.tool(`t${i}`, {}, () => "");
    const client = await joined(server, "2026-07-28");
    await client.listTools();
    server.tool("t5", {}, () => "");
    const names = (await all(client.tools())).map(({ name }) => name);
    assert.deepEqual(names, ["t0", "t1", "t2", "t3", "t4", "t5"]);
  });

  test("keeps a thousand answers to a method", async () => {
    const server = await counting(() => ({ ttlMs: 60_000 }));
    for (let i = 0; i <= 1000; i++) await read(server, `x:${i}`);
    assert.equal(server.asked.length, 1001);
    await read(server, "x:1000");
    assert.equal(server.asked.length, 1001);
    await read(server, "x:0");
    assert.equal(server.asked.length, 1002);
  });
});
