// Area 7 of docs/spec/rules.md: what servers offer, as far as other tests leave it open.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RpcError } from "@x/jsonrpc";
import { limit } from "@x/jsonrpc/middleware";
import { type Tool, titleOf } from "@x/mcp";
import { type McpContext, McpServer } from "@x/mcp/server";
import { all, both, joined, scripted, until } from "../joined.ts";
import { Wire, echoServer, hello, resultOf, stateless, textOf } from "../wire.ts";

const info = { name: "test", version: "1.0.0" };
const mayUse = (principal: string | undefined, name: unknown): boolean => principal === "admin" || name === "read";
const sayHi = (wire: Wire): ReturnType<Wire["ask"]> =>
  wire.ask("tools/call", stateless({ name: "echo", arguments: { text: "hi" } }));

describe("tools", () => {
  test("are declared, with the announcement of changes, which then come (TOOL-01, TOOL-08)", async () => {
    const server = echoServer();
    const wire = Wire.to(server);
    const { capabilities } = resultOf(await wire.ask("initialize", hello)) as { capabilities: { tools?: object } };
    assert.deepEqual(capabilities.tools, { listChanged: true });
    wire.notify("notifications/initialized");
    server.tool("new", {}, () => "");
    await until(() => wire.heard("notifications/tools/list_changed").length === 1);
  });

  test("F04: a server that doesn't announce changes says so, and is silent", async () => {
    const server = new McpServer(info, { listChanged: false });
    server.tool("a", {}, () => "");
    server.prompt("p", {}, () => "");
    server.resource("x:1", {}, () => "");
    const wire = Wire.to(server);
    const { capabilities } = resultOf(await wire.ask("initialize", hello)) as { capabilities: object };
    assert.deepEqual(capabilities, {
      logging: {},
      tools: { listChanged: false },
      prompts: { listChanged: false },
      resources: { subscribe: true, listChanged: false },
    });
    wire.notify("notifications/initialized");
    const notifications = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    void wire.ask("subscriptions/listen", stateless({ notifications }), "listen");
    await until(() => wire.heard("notifications/subscriptions/acknowledged").length > 0);
    const [agreed] = wire.heard("notifications/subscriptions/acknowledged") as { notifications: object }[];
    assert.deepEqual(agreed?.notifications, {});
    server.tool("b", {}, () => "");
    server.prompt("q", {}, () => "");
    server.resource("x:2", {}, () => "");
    const { tools } = resultOf(await wire.ask("tools/list")) as { tools: object[] };
    assert.equal(tools.length, 2);
    assert.equal(wire.received.filter((message) => "method" in message).length, 1);
    wire.close();
  });

  for (const version of both)
    test(`may be none, and come and go (TOOL-04, ${version})`, async () => {
      const server = new McpServer(info);
      const only = server.tool("only", {}, () => "here");
      only.disable();
      const client = await joined(server, version);
      assert.deepEqual(await all(client.tools()), []);
      only.enable();
      assert.deepEqual(
        (await all(client.tools({ fresh: true }))).map(({ name }) => name),
        ["only"],
      );
      only.remove();
      assert.deepEqual(await all(client.tools({ fresh: true })), []);
    });

  test("may be others for each caller, by middleware (TOOL-06, TOOL-54)", async () => {
    const server = new McpServer(info);
    server.tool("read", {}, () => "read");
    server.tool("write", {}, () => "written");
    server.use(async ({ method, params, principal }, next) => {
      if (method === "tools/call" && !mayUse(principal, params["name"])) throw new RpcError(1003, "not for you");
      const result = await next();
      if (method !== "tools/list") return result;
      const { tools, ...rest } = result as { tools: Tool[] };
      return { ...rest, tools: tools.filter(({ name }) => mayUse(principal, name)) };
    });
    for (const [wire, names] of [
      [Wire.to(server, "admin"), ["read", "write"]],
      [Wire.to(server, "guest"), ["read"]],
      [Wire.to(server), ["read"]],
    ] as const) {
      const list = resultOf(await wire.ask("tools/list", stateless()));
      assert.deepEqual(
        (list["tools"] as Tool[]).map(({ name }) => name),
        names,
      );
      assert.equal(list["resultType"], "complete");
      const answer = await wire.ask("tools/call", stateless({ name: "write" }));
      if (names.length === 2) assert.equal(textOf(answer), "written");
      else assert.deepEqual(answer.error, { code: 1003, message: "not for you" });
    }
  });

  test("are called as often as a limit allows (TOOL-55)", async () => {
    const server = echoServer();
    server.use(limit({ rate: 3, per: 60_000, key: (call) => (call as McpContext).principal }));
    const wire = Wire.to(server, "alice");
    for (let i = 0; i < 3; i++) assert.equal(textOf(await sayHi(wire)), "hi");
    assert.match(String((await sayHi(wire)).error?.message), /Too many calls: at most 3 in 60000 ms/);
    assert.equal(textOf(await sayHi(Wire.to(server, "bob"))), "hi");
  });

  test("without parameters have a schema that says object, and take what it allows (TOOL-20, J08, J11)", async () => {
    const server = new McpServer(info);
    let given: unknown;
    server.tool("none", {}, (args) => {
      given = args;
      return "";
    });
    const wire = Wire.to(server);
    const [tool] = resultOf(await wire.ask("tools/list", stateless()))["tools"] as Tool[];
    assert.deepEqual(tool?.inputSchema, { type: "object" });
    assert.equal(textOf(await wire.ask("tools/call", stateless({ name: "none" }))), "");
    assert.deepEqual(given, {});
    await wire.ask("tools/call", stateless({ name: "none", arguments: { extra: 1 } }));
    assert.deepEqual(given, { extra: 1 });
  });

  test("J11: what a schema forbids is refused, what it leaves open reaches the handler", async () => {
    const server = new McpServer(info);
    const schema = { type: "object", properties: { a: { type: "number" } } } as const;
    server.tool("open", { input: schema }, (args) => JSON.stringify(args));
    server.tool("closed", { input: { ...schema, additionalProperties: false } }, (args) => JSON.stringify(args));
    const client = await joined(server, "2026-07-28");
    const args = { a: 1, b: 2 };
    assert.deepEqual((await client.callTool("open", args)).content, [{ type: "text", text: JSON.stringify(args) }]);
    const { isError, content } = await client.callTool("closed", args);
    assert.equal(isError, true);
    assert.match(JSON.stringify(content), /b: is not allowed/);
  });

  for (const version of both)
    test(`that fail are results for the model; a call that can't be made is an error for the host (TOOL-49, TOOL-51, TOOL-52, J09, ${version})`, async () => {
      const server = echoServer();
      server.tool("fail", {}, () => {
        throw new Error("the API is down");
      });
      const client = await joined(server, version);
      const failure = await client.callTool("fail");
      assert.deepEqual([failure.isError, failure.content], [true, [{ type: "text", text: "the API is down" }]]);
      assert.equal((await client.callTool("echo", { text: 7 })).isError, true);
      await assert.rejects(client.callTool("nothing"), { code: -32602, message: 'Unknown tool: "nothing"' });
      await assert.rejects(client.request("tools/call", { name: 7 }), { code: -32602 });
    });

  test("what they throw reaches the server's own hook as well, as it was", async () => {
    const faults: unknown[] = [];
    const fault = new Error("the API is down");
    const server = new McpServer(info);
    server.tool("fail", {}, () => Promise.reject(fault));
    server.tool("refuse", {}, () => {
      throw new RpcError(1001, "no");
    });
    const [near, far] = (await import("@x/jsonrpc")).memoryPair();
    server.connect(far, {
      onError: (error, origin) => {
        faults.push([error, origin]);
        throw new Error("the hook is broken too");
      },
    });
    const wire = new Wire(near);
    const printed = await printedWhile(async () => {
      assert.equal(resultOf(await wire.ask("tools/call", stateless({ name: "fail" })))["isError"], true);
      assert.equal((await wire.ask("tools/call", stateless({ name: "refuse" }))).error?.code, 1001);
    });
    assert.deepEqual(faults, [[fault, "handler"]]);
    assert.equal(String(printed[0]), "Error: the hook is broken too");
  });

  test("a hook that rejects breaks nothing either", async () => {
    const server = new McpServer(info);
    server.tool("fail", {}, () => Promise.reject(new Error("the API is down")));
    const [near, far] = (await import("@x/jsonrpc")).memoryPair();
    const broken = new Error("the hook is broken too");
    const onError = (): unknown => Promise.reject(broken);
    server.connect(far, { onError });
    const wire = new Wire(near);
    const printed = await printedWhile(async (soFar) => {
      assert.equal(resultOf(await wire.ask("tools/call", stateless({ name: "fail" })))["isError"], true);
      await until(() => soFar.length > 0);
    });
    assert.equal(printed[0], broken);
  });

  test("are read by their title, or that of their annotations, or their name (TOOL-16, ICON-10)", () => {
    for (const [item, expected] of [
      [{ name: "n" }, "n"],
      [{ name: "n", title: "T" }, "T"],
      [{ name: "n", annotations: { title: "A" } }, "A"],
      [{ name: "n", title: "T", annotations: { title: "A" } }, "T"],
      [{ name: "n", annotations: { readOnlyHint: true } }, "n"],
      [{ name: "n", annotations: { priority: 1 } }, "n"],
    ] as const)
      assert.equal(titleOf(item), expected);
  });
});

describe("a value that looks like a result", () => {
  const article = { content: [{ type: "text", words: 3 }], title: "News" };
  const output = {
    type: "object",
    properties: { content: { type: "array" }, title: { type: "string" } },
    required: ["title"],
  } as const;

  test("is a value where there is an output schema, unless it says what it is", async () => {
    const server = new McpServer(info);
    server.tool("article", { output }, () => article);
    server.tool("whole", { output }, () => ({ content: [], structuredContent: article }));
    server.tool("failure", { output }, () => ({ content: [], isError: true }));
    const client = await joined(server, "2026-07-28");
    const first = await client.callTool("article");
    assert.deepEqual(first.structuredContent, article);
    assert.deepEqual(first.content, [{ type: "text", text: JSON.stringify(article) }]);
    const whole = await client.callTool("whole");
    assert.deepEqual([whole.content, whole.structuredContent], [[], article]);
    assert.deepEqual((await client.callTool("failure")).isError, true);
  });
});

describe("handlers may take their context apart", () => {
  for (const version of both)
    test(`each method works on its own (${version})`, async () => {
      const server = new McpServer(info);
      server.tool("all", {}, async (_args, context) => {
        const { progress, log, signal, meta, client, principal, notify, once, listRoots, detach, abort } = context;
        const { elicit, elicitUrl, sample, request } = context;
        for (const each of [elicit, elicitUrl, sample, request, abort, notify]) assert.equal(typeof each, "function");
        const roots = await listRoots();
        progress(1, 2);
        log.info("hi");
        await detach();
        assert.equal(signal.aborted, false);
        assert.ok(meta && client.revision);
        return `${await once("n", () => 7)} ${roots.length} ${principal}`;
      });
      const heard: unknown[] = [];
      const logs: unknown[] = [];
      const client = await joined(server, version, { roots: [], onLog: ({ data }) => logs.push(data) });
      await client.setLogLevel("info");
      const { content } = await client.callTool("all", {}, { onProgress: ({ progress }) => heard.push(progress) });
      assert.deepEqual(content, [{ type: "text", text: "7 0 undefined" }]);
      assert.deepEqual([heard, logs], [[1], ["hi"]]);
    });
});

describe("what one may not see", () => {
  test("is guarded at each read, whatever a cache may keep (RES-30, CACHE-23)", async () => {
    const server = new McpServer(info, { cache: { ttlMs: 60_000, cacheScope: "public" } });
    server.resource("x:secret", {}, () => "secret");
    server.prompt("secret", {}, () => "secret");
    server.use(({ method, principal }, next) => {
      if ((method === "resources/read" || method === "prompts/get") && principal !== "alice")
        throw new RpcError(1003, "no");
      return next();
    });
    for (const [method, params] of [
      ["resources/read", { uri: "x:secret" }],
      ["prompts/get", { name: "secret" }],
    ] as const) {
      assert.ok((await Wire.to(server, "alice").ask(method, stateless(params))).result);
      for (const stranger of [Wire.to(server, "bob"), Wire.to(server)])
        assert.deepEqual((await stranger.ask(method, stateless(params))).error, { code: 1003, message: "no" });
    }
  });
});

describe("pages and subscriptions", () => {
  for (const version of both)
    test(`each reading starts at the beginning: no cursor is kept (PAGE-07, ${version})`, async () => {
      const { client, asked } = await scripted(
        version,
        { tools: {} },
        {
          "tools/list": ({ cursor }) => ({ tools: [], ...(cursor === undefined && { nextCursor: "second" }) }),
        },
      );
      await all(client.tools());
      await all(client.tools());
      assert.deepEqual(
        asked.map(({ params }) => params["cursor"]),
        [undefined, "second", undefined, "second"],
      );
    });

  test("several subscriptions on one connection are each in their own order (SUBS-06)", async () => {
    const server = echoServer();
    const wire = Wire.to(server);
    const notifications = { toolsListChanged: true };
    const ids = ["a", "b", "c"];
    for (const id of ids) {
      void wire.ask("subscriptions/listen", stateless({ notifications }), id);
      server.tool(`tool-${id}`, {}, () => "");
    }
    await until(() => wire.heard("notifications/subscriptions/acknowledged").length === 3);
    server.tool("last", {}, () => "");
    await until(() => wire.heard("notifications/tools/list_changed").length >= 3);
    for (const id of ids) {
      const methods = wire.received.flatMap((message) => {
        const { _meta } = ("method" in message ? (message.params ?? {}) : {}) as { _meta?: { [key: string]: unknown } };
        const isOurs = _meta?.["io.modelcontextprotocol/subscriptionId"] === id;
        return isOurs && "method" in message ? [message.method] : [];
      });
      assert.equal(methods[0], "notifications/subscriptions/acknowledged");
      assert.ok(
        methods.slice(1).every((method) => method === "notifications/tools/list_changed") && methods.length > 1,
      );
    }
    wire.close();
  });
});

/** What is printed as an error while something is done. */
async function printedWhile(doing: (soFar: readonly unknown[]) => Promise<void>): Promise<unknown[]> {
  const { error: log } = console;
  const printed: unknown[] = [];
  console.error = (...words) => printed.push(...words);
  try {
    await doing(printed);
  } finally {
    console.error = log;
  }
  return printed;
}
