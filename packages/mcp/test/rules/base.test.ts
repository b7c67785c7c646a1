// Area 1 of docs/spec/rules.md: messages, results and errors, as far as other tests leave it open.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";
import {
  type Id,
  InvalidResponseError,
  type Receive,
  type Request,
  RpcError,
  TimeoutError,
  type Transport,
  parse,
} from "@x/jsonrpc";
import {
  HEADER_MISMATCH,
  MISSING_CLIENT_CAPABILITY,
  RESOURCE_NOT_FOUND,
  UNSUPPORTED_PROTOCOL_VERSION,
  URL_ELICITATION_REQUIRED,
} from "@x/mcp";
import { connect } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { both, joined } from "../joined.ts";
import { type Script, info, legacy, meet, modern } from "../scripted.ts";
import { Wire, echoServer, resultOf, stateless } from "../wire.ts";

const bare = (): McpServer => new McpServer({ name: "bare", version: "1.0.0" });
const answers = (raw: object): Script => ({ ...modern, "tools/call": () => raw });
const calling = (name: unknown, args?: unknown): object => stateless({ name, arguments: args });

/** What a call gives that is answered with these members besides its id, letter by letter. */
async function answered(members: object): Promise<unknown> {
  let receive!: Receive;
  const say = (id: Id, more: object): void => receive(parse(JSON.stringify({ jsonrpc: "2.0", id, ...more })));
  const transport: Transport = {
    open: (given) => {
      receive = given;
      return new Promise(() => {});
    },
    send: (message) => {
      const { id, method } = message as Request;
      const result = modern["server/discover"]?.({}, id);
      setTimeout(() => say(id, method === "server/discover" ? { result } : members));
    },
    close: () => {},
  };
  const client = await connect(transport, info);
  return await client.callTool("x");
}

describe("a server with nothing but its name", () => {
  test("is met by a handshake and pinged, or discovered and listened to; the rest is -32601 (BASE-15, BASE-16)", async () => {
    const wire = await Wire.greeted(bare());
    assert.deepEqual(await wire.ask("ping"), { jsonrpc: "2.0", id: 2, result: {} });
    assert.equal((await wire.ask("tools/list")).error?.code, -32601);
    const newer = Wire.to(bare());
    assert.deepEqual(resultOf(await newer.ask("server/discover", stateless()))["supportedVersions"], ["2026-07-28"]);
    void newer.ask("subscriptions/listen", stateless({ notifications: { toolsListChanged: true } }), "listen");
    assert.equal((await newer.ask("tools/list", stateless())).error?.code, -32601);
    const acknowledged = (await newer.hears("notifications/subscriptions/acknowledged")) as { notifications: object };
    assert.deepEqual(acknowledged.notifications, {});
    newer.close();
  });

  for (const version of both)
    test(`and a client with nothing but its name get along (BASE-15, ${version})`, async () => {
      const client = await joined(bare(), version);
      await client.ping();
      await assert.rejects(client.callTool("x"), { name: "CapabilityError" });
      await client.close();
    });
});

describe("an answer", () => {
  test("with both a result and an error, or with neither, is none (BASE-17)", async () => {
    for (const wrong of [{ result: {}, error: { code: 1, message: "x" } }, {}])
      await assert.rejects(answered(wrong), InvalidResponseError);
  });

  for (const result of [null, "text", 7, false])
    test(`${JSON.stringify(result)} is no result (BASE-18)`, async () => {
      const expected = {
        message: `The server answered "tools/call" with ${JSON.stringify(result)}, which is no result`,
      };
      for (const script of [modern, legacy]) {
        const { client } = await meet({ ...script, "tools/call": () => result });
        await assert.rejects(client.callTool("x"), expected);
      }
      const every = { tools: {}, prompts: {}, resources: {}, completions: {} };
      const all = { ...(modern["server/discover"]?.({}, 0) as object), capabilities: every };
      const methods = [
        "tools/list",
        "prompts/list",
        "prompts/get",
        "resources/list",
        "resources/read",
        "completion/complete",
      ];
      const script = Object.fromEntries(methods.map((method) => [method, () => result]));
      const { client } = await meet({ ...script, "server/discover": () => all });
      for (const call of [
        () => client.listTools(),
        () => client.listPrompts(),
        () => client.getPrompt("p"),
        () => client.listResources(),
        () => client.readResource("x:1"),
        () => client.complete({ prompt: "p" }, { name: "a", value: "" }),
      ])
        await assert.rejects(call, /which is no result$/);
    });

  test("of a method of one's own is an object as well (BASE-18)", async () => {
    const server = new McpServer({ name: "own", version: "1.0.0" });
    server.method("com.example/nothing", () => undefined);
    server.method("com.example/null", () => null as never);
    server.method("com.example/text", () => "text" as never);
    server.use((_call, next) => Promise.resolve(next()));
    for (const wire of [await Wire.greeted(server), Wire.to(server)]) {
      const params = stateless();
      for (const name of ["nothing", "null"]) {
        const { _meta, resultType: _, ...rest } = resultOf(await wire.ask(`com.example/${name}`, params));
        assert.deepEqual(rest, {});
      }
      assert.deepEqual((await wire.ask("com.example/text", params)).error, { code: -32603, message: "Internal error" });
    }
  });

  test("may have members that nobody knows: they come through (BASE-19)", async () => {
    const { client } = await meet(answers({ content: [], "com.example/x": { a: 1 }, _meta: { "com.example/y": 2 } }));
    assert.deepEqual(await client.callTool("x"), {
      content: [],
      "com.example/x": { a: 1 },
      _meta: { "com.example/y": 2 },
    });
  });
});

describe("an error", () => {
  for (const error of [
    { code: 1.5, message: "x" },
    { code: "1", message: "x" },
    { code: 1 },
    { code: 1, message: 7 },
    { message: "x" },
  ])
    test(`${JSON.stringify(error)} is none (BASE-28)`, () => assert.rejects(answered({ error }), InvalidResponseError));

  test("has a code that is whole and one short line; everything that can go wrong here (BASE-28, BASE-29)", async () => {
    const wire = Wire.to(echoServer());
    for (const [method, params] of [
      ["nothing/at-all", stateless()],
      ["tools/list", undefined],
      ["tools/list", stateless({ cursor: "nowhere" })],
      ["tools/call", calling("nothing")],
      ["tools/call", calling(7)],
      ["tools/call", calling("echo", [])],
      ["initialize", {}],
      ["subscriptions/listen", stateless()],
      ["tools/list", stateless({}, { "io.modelcontextprotocol/protocolVersion": "1999-01-01" })],
      ["tools/call", stateless({ name: "echo", inputResponses: 5 })],
      ["tools/call", stateless({ name: "echo", requestState: "x" })],
    ] as const) {
      const { error } = await wire.ask(method, params);
      assert.ok(error && Number.isInteger(error.code), method);
      assert.match(error.message, /^[^\n]{5,160}$/);
    }
  });

  test("carries any data, errors within it too (BASE-30)", async () => {
    const data = { causes: [{ code: 2, message: "deep", data: { error: { code: 3 } } }, null, "x"], odd: [[]] };
    const { client } = await meet({ ...modern, "tools/call": () => new RpcError(1001, "no", data) });
    await assert.rejects(client.callTool("x"), { code: 1001, data });
  });

  test("of a code that means nothing is just that, to a call and to the probe (BASE-40)", async () => {
    for (const code of [-32000, -32001, -32003, -32004, -32019]) {
      const { client } = await meet({ ...legacy, "tools/call": () => new RpcError(code, "no") });
      assert.equal(client.revision.lifecycle, "handshake");
      await assert.rejects(client.callTool("x"), { name: "RpcError", code });
    }
  });

  test("of this side has a class of its own and no code (BASE-46)", async () => {
    const { client } = await meet({ ...modern, "tools/call": () => undefined });
    await assert.rejects(client.callTool("x", {}, { timeout: 5 }), (error: object) => {
      assert.ok(error instanceof TimeoutError);
      assert.equal("code" in error, false);
      assert.equal(RpcError.is(error), false);
      return true;
    });
  });

  test("is never of a code that the specification keeps for others (BASE-38, BASE-41, BASE-42, BASE-45)", () => {
    const known: number[] = [
      -32700,
      -32600,
      -32601,
      -32602,
      -32603,
      -32000,
      HEADER_MISMATCH,
      MISSING_CLIENT_CAPABILITY,
      UNSUPPORTED_PROTOCOL_VERSION,
      RESOURCE_NOT_FOUND,
      URL_ELICITATION_REQUIRED,
    ];
    const folder = new URL("../../src/", import.meta.url);
    const core = new URL("../../../jsonrpc/src/", import.meta.url);
    for (const root of [folder, core])
      for (const file of readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".ts"),
      )) {
        const code = readFileSync(new URL(file, root), "utf8").replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
        for (const [literal] of code.matchAll(/-32\d{3}\b/g)) {
          const isRange = /code [<>]=? -32\d{3}|-32768|-32099/.test(code) && !known.includes(Number(literal));
          assert.ok(known.includes(Number(literal)) || isRange, `${file}: ${literal}`);
        }
      }
  });
});
