import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RpcError } from "@x/jsonrpc";
import { McpServer } from "@x/mcp/server";
import { z } from "zod";
import { type Answer, Wire, resultOf, stateless, textOf } from "./wire.ts";

const png = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
const link = { type: "resource_link", uri: "office://rooms/A301", name: "A301" } as const;
const embedded = { type: "resource", resource: { uri: "office://a", text: "A" } } as const;
const sound = { type: "audio", data: "AAAA", mimeType: "audio/wav" } as const;

function serverOf(register: (server: McpServer) => void): McpServer {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  register(server);
  return server;
}

/** Calls a tool in a stateless request. */
const call = (wire: Wire, name: unknown, args?: unknown): Promise<Answer> =>
  wire.ask("tools/call", stateless({ name, ...(args !== undefined && { arguments: args }) }));

async function returns(value: unknown): Promise<Answer> {
  const server = serverOf((it) => it.tool("give", {}, () => value as string));
  return await call(Wire.to(server), "give");
}

async function returnsBy(output: z.ZodType, value: unknown): Promise<Answer> {
  const server = serverOf((it) => it.tool("give", { output }, () => value as never));
  return await call(Wire.to(server), "give");
}

const contentOf = async (value: unknown): Promise<unknown> => resultOf(await returns(value))["content"];

describe("what a tool returns", () => {
  test("a string is a block of text, also an empty one", async () => {
    assert.deepEqual(await contentOf("hi"), [{ type: "text", text: "hi" }]);
    assert.deepEqual(await contentOf(""), [{ type: "text", text: "" }]);
  });

  test("nothing is no content (TOOL-34)", async () => assert.deepEqual(await contentOf(undefined), []));

  test("a block, or blocks of every kind, are sent as they are (TOOL-37, TOOL-42, TOOL-43, TOOL-46)", async () => {
    assert.deepEqual(await contentOf(png), [png]);
    const noted = { type: "text", text: "x", annotations: { audience: ["user"], priority: 0.5 } };
    assert.deepEqual(await contentOf([noted, png, sound, link, embedded]), [noted, png, sound, link, embedded]);
    assert.deepEqual(await contentOf([]), []);
  });

  test("a whole result is sent as it is, its _meta besides the server's", async () => {
    const result = resultOf(await returns({ content: [png], isError: true, _meta: { "com.example/a": 1 } }));
    assert.deepEqual(result["content"], [png]);
    assert.equal(result["isError"], true);
    assert.equal((result["_meta"] as Record<string, unknown>)["com.example/a"], 1);
  });

  test("a promise of any of these is awaited", async () => {
    assert.deepEqual(await contentOf(Promise.resolve("later")), [{ type: "text", text: "later" }]);
  });

  for (const value of [5, true, null, { a: 1 }, ["a"], [{ text: "no type" }]])
    test(`${JSON.stringify(value)} without an output schema is the server's fault, and says what to do`, async () => {
      const { error } = await returns(value);
      assert.equal(error?.code, -32603);
      assert.match(error.message, /tool "give" returned neither text nor content; give it an output schema/);
    });
});

describe("what a tool with an output schema returns", () => {
  const Sum = z.object({ sum: z.number() });

  test("is structured content, and the same as text (TOOL-36, TOOL-38, TOOL-40)", async () => {
    const result = resultOf(await returnsBy(Sum, { sum: 5 }));
    assert.deepEqual(result["structuredContent"], { sum: 5 });
    assert.deepEqual(result["content"], [{ type: "text", text: '{"sum":5}' }]);
    assert.ok(!("isError" in result));
  });

  test("J04: values that count as false are values (TOOL-36, TOOL-39)", async () => {
    for (const [output, value] of [
      [z.number(), 0],
      [z.boolean(), false],
      [z.string(), ""],
      [z.null(), null],
      [z.array(z.string()), []],
    ] as const) {
      const result = resultOf(await returnsBy(output, value));
      assert.deepEqual(result["structuredContent"], value);
      assert.deepEqual(result["content"], [{ type: "text", text: JSON.stringify(value) }]);
    }
  });

  test("what the schema refuses is the server's fault, and named (TOOL-40)", async () => {
    const { error } = await returnsBy(Sum, { sum: "five" });
    assert.equal(error?.code, -32603);
    assert.match(error.message, /tool "give" returned what its output schema refuses: sum: .*at \/sum/);
  });

  test("may be a whole result: its structured content is checked too, except in a failure (TOOL-40)", async () => {
    const content = [{ type: "text", text: "five" }];
    const whole = resultOf(await returnsBy(Sum, { content, structuredContent: { sum: 5 } }));
    assert.deepEqual(whole["content"], content);
    assert.deepEqual(whole["structuredContent"], { sum: 5 });
    assert.equal((await returnsBy(Sum, { content, structuredContent: { sum: "five" } })).error?.code, -32603);
    assert.equal((await returnsBy(Sum, { content })).error?.code, -32603);
    const failure = resultOf(await returnsBy(Sum, { content, isError: true }));
    assert.equal(failure["isError"], true);
  });

  test("defaults and transforms of the schema apply", async () => {
    const output = z.object({ sum: z.number().default(7) });
    assert.deepEqual(resultOf(await returnsBy(output, {}))["structuredContent"], { sum: 7 });
  });
});

describe("what goes wrong in a call", () => {
  const server = serverOf((it) => {
    it.tool("throw", {}, () => {
      throw new Error("the printer is on fire");
    });
    it.tool("reject", {}, () => Promise.reject(new Error("the printer is on fire")));
    it.tool("throw-text", {}, () => {
      // oxlint-disable-next-line only-throw-error -- people do
      throw "on fire";
    });
    it.tool("refuse", {}, () => {
      throw new RpcError(4001, "out of paper", { tray: 2 });
    });
    it.tool(
      "add",
      { input: z.object({ a: z.number(), deep: z.object({ "b/c": z.string() }).optional() }) },
      () => "ok",
    );
  });
  const wire = Wire.to(server);

  for (const name of ["throw", "reject"])
    test(`a tool that ${name}s is a result that the model can read (TOOL-47)`, async () => {
      const result = resultOf(await call(wire, name));
      assert.equal(result["isError"], true);
      assert.deepEqual(result["content"], [{ type: "text", text: "the printer is on fire" }]);
    });

  test("whatever is thrown has a text", async () => {
    assert.equal(textOf(await call(wire, "throw-text")), "on fire");
  });

  test("an RpcError reaches the client with code and data", async () => {
    const { error } = await call(wire, "refuse");
    assert.deepEqual(error, { code: 4001, message: "out of paper", data: { tray: 2 } });
  });

  test("J09: an unknown tool is -32602 and named (TOOL-48, TOOL-26)", async () => {
    for (const name of ["nothing", "Add", "", "__proto__", "constructor"]) {
      const { error } = await call(wire, name);
      assert.equal(error?.code, -32602);
      assert.equal(error.message, `Unknown tool: "${name}"`);
    }
  });

  test("J09: arguments that don't fit are a result that names tool, place and reason (TOOL-50, TOOL-53)", async () => {
    for (const [args, place] of [
      [undefined, /add.*a: .* \(at \/a\)/],
      [{ a: "1" }, /add.*a: .* \(at \/a\)/],
      [{ a: 1, deep: { "b/c": 2 } }, /add.*deep\.b\/c: .* \(at \/deep\/b~1c\)/],
    ] as const) {
      const answer = await call(wire, "add", args);
      assert.equal(resultOf(answer)["isError"], true);
      assert.match(textOf(answer), place);
    }
  });

  test("what is no call at all is -32602 (TOOL-33, TOOL-50)", async () => {
    for (const [name, args] of [[undefined], [5], [null], ["add", []], ["add", "a"], ["add", null]]) {
      const { error } = await call(wire, name, args);
      assert.equal(error?.code, -32602, JSON.stringify([name, args]));
    }
  });
});

describe("tools/list", () => {
  test("shows what was registered, in that order, again and again (TOOL-02, TOOL-07, TOOL-10, TOOL-11, TOOL-13, TOOL-14)", async () => {
    const icon = { src: "https://example.com/a.png", mimeType: "image/png" };
    const server = serverOf((it) => {
      it.tool("zebra", {}, () => "");
      it.tool(
        "ant",
        {
          title: "Ant",
          description: "Carries things",
          input: { type: "object", properties: { a: { type: "number" } } },
          output: { type: "object" },
          annotations: { readOnlyHint: true },
          icons: [icon],
          _meta: { "com.example/legs": 6 },
        },
        () => ({}),
      );
    });
    const wire = Wire.to(server);
    const tools = resultOf(await wire.ask("tools/list", stateless()))["tools"];
    assert.deepEqual(tools, [
      { name: "zebra", inputSchema: { type: "object" } },
      {
        name: "ant",
        title: "Ant",
        description: "Carries things",
        annotations: { readOnlyHint: true },
        icons: [icon],
        _meta: { "com.example/legs": 6 },
        inputSchema: { type: "object", properties: { a: { type: "number" } } },
        outputSchema: { type: "object" },
      },
    ]);
    assert.deepEqual(resultOf(await wire.ask("tools/list", stateless()))["tools"], tools);
  });

  test("is the same on every connection, whatever was called before (TOOL-03, TOOL-05)", async () => {
    const server = serverOf((it) => it.tool("a", {}, () => "").name);
    const [one, two] = [Wire.to(server), Wire.to(server)];
    await call(one, "a");
    const [left, right] = await Promise.all([one, two].map((wire) => wire.ask("tools/list", stateless())));
    assert.deepEqual(left, { ...right, id: left?.id });
  });

  test("comes in pages, whose cursors are checked (PAGE-01, PAGE-02, PAGE-05, PAGE-09)", async () => {
    const server = new McpServer({ name: "test", version: "1.0.0" }, { pageSize: 2 });
    for (const name of ["a", "b", "c", "d", "e"]) server.tool(name, {}, () => "");
    const wire = Wire.to(server);
    const names: string[] = [];
    let cursor: unknown;
    do {
      const page = resultOf(await wire.ask("tools/list", stateless(cursor === undefined ? {} : { cursor })));
      const tools = page["tools"] as { name: string }[];
      assert.ok(tools.length <= 2);
      names.push(...tools.map(({ name }) => name));
      cursor = page["nextCursor"];
    } while (cursor !== undefined);
    assert.deepEqual(names, ["a", "b", "c", "d", "e"]);
    const { nextCursor } = resultOf(await wire.ask("tools/list", stateless()));
    const [state] = String(nextCursor).split(".");
    for (const bogus of ["bogus", "", 5, null, {}, ...[0, 1, 3, 6, -2, "2.0", ""].map((at) => `${state}.${at}`)])
      assert.equal((await wire.ask("tools/list", stateless({ cursor: bogus }))).error?.code, -32602, String(bogus));
    const whole = new McpServer({ name: "test", version: "1.0.0" });
    for (const name of ["a", "b", "c", "d", "e"]) whole.tool(name, {}, () => "");
    assert.equal((await Wire.to(whole).ask("tools/list", stateless({ cursor: `${state}.1` }))).error?.code, -32602);
  });

  test("a cursor of an earlier state of the list is refused rather than answered wrongly (PAGE-04, CACHE-19)", async () => {
    const server = new McpServer({ name: "test", version: "1.0.0" }, { pageSize: 1 });
    const first = server.tool("a", {}, () => "");
    server.tool("b", {}, () => "");
    const wire = Wire.to(server);
    const { nextCursor } = resultOf(await wire.ask("tools/list", stateless()));
    first.remove();
    const { error } = await wire.ask("tools/list", stateless({ cursor: nextCursor }));
    assert.equal(error?.code, -32602);
    assert.match(error.message, /start again without one/);
  });
});
