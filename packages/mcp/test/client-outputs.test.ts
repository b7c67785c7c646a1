import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import type { Tool } from "@x/mcp";
import { OutputError } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { all, both, joined, scripted, settle } from "./joined.ts";

const total = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };

/** A server with tools as listed, whose every call gives `result`. */
const shop = (version: string, tools: readonly unknown[], result: object) =>
  scripted(
    version,
    { tools: { listChanged: true } },
    {
      "tools/list": () => ({ tools }),
      "tools/call": () => ({ content: [], ...result }),
    },
  );

const tool = (name: string, outputSchema?: object): object => ({
  name,
  inputSchema: { type: "object" },
  ...(outputSchema && { outputSchema }),
});

for (const version of both)
  describe(`checked outputs, ${version}`, () => {
    test("what fits comes through, what doesn't rejects with the result (TOOL-40, TOOL-41)", async () => {
      const good = await shop(version, [tool("sum", total)], { structuredContent: { total: 5 } });
      assert.deepEqual((await good.client.callTool("sum")).structuredContent, { total: 5 });
      const bad = await shop(version, [tool("sum", total)], { structuredContent: { total: "5" } });
      await assert.rejects(bad.client.callTool("sum"), (error: unknown) => {
        assert.ok(error instanceof OutputError);
        assert.equal(error.tool, "sum");
        assert.deepEqual(error.result.structuredContent, { total: "5" });
        assert.match(
          error.message,
          /^tool "sum" answered with structured content .*: total: must be number \(at \/total\)$/,
        );
        return true;
      });
    });

    test("the list is read once, and not at all where somebody has read it (TOOL-41)", async () => {
      const { client, asked } = await shop(version, [tool("sum", total)], { structuredContent: { total: 5 } });
      const lists = (): number => asked.filter(({ method }) => method === "tools/list").length;
      await Promise.all([client.callTool("sum"), client.callTool("sum")]);
      await client.callTool("sum");
      assert.equal(lists(), 1);
      const listed = await shop(version, [tool("sum", total)], { structuredContent: { total: 5 } });
      await all(listed.client.tools());
      await listed.client.callTool("sum");
      assert.equal(listed.asked.filter(({ method }) => method === "tools/list").length, 1);
    });

    test("plain results cost no list", async () => {
      const { client, asked } = await shop(version, [tool("sum", total)], {});
      await client.callTool("sum");
      assert.deepEqual(
        asked.map(({ method }) => method),
        ["tools/call"],
      );
    });

    test("a missing value is none (TOOL-40)", async () => {
      const { client } = await shop(version, [tool("sum", total)], {});
      await all(client.tools());
      await assert.rejects(client.callTool("sum"), { name: "OutputError", message: /without the structured content/ });
    });

    test("errors are never looked at (TOOL-41)", async () => {
      const { client, asked } = await shop(version, [tool("sum", total)], { structuredContent: 5, isError: true });
      assert.equal((await client.callTool("sum")).isError, true);
      await all(client.tools());
      assert.equal((await client.callTool("sum")).isError, true);
      assert.equal(asked.filter(({ method }) => method === "tools/list").length, 1);
    });

    test("one tool that is all wrong hides none of the others (J08)", async () => {
      const wrong = [
        { name: "no-input" },
        { name: "empty", inputSchema: {} },
        { name: "bad-output", inputSchema: { type: "object" }, outputSchema: { type: "nonsense" } },
        { name: "far", inputSchema: { type: "object" }, outputSchema: { $ref: "https://far.example/schema.json" } },
        { name: "alien", inputSchema: { type: "object" }, outputSchema: { $schema: "https://alien.example" } },
        { name: "text", inputSchema: { type: "object" }, outputSchema: "text" },
        null,
        5,
      ];
      const { client } = await shop(version, [...wrong, tool("sum", total)], { structuredContent: { total: 5 } });
      assert.equal((await all(client.tools() as AsyncIterable<Tool | null>)).length, wrong.length + 1);
      assert.deepEqual((await client.callTool("sum")).structuredContent, { total: 5 });
    });

    test("a schema that can't be used refuses the call that it is for, and is never fetched (JSCH-05, JSCH-07, JSCH-09, JSCH-11, TOOL-59)", async () => {
      const schemas = {
        "bad-output": { type: "nonsense" },
        far: { $ref: "https://far.example/s.json" },
        alien: { $schema: "https://alien.example" },
      };
      const tools = Object.entries(schemas).map(([name, schema]) => tool(name, schema));
      const { client } = await shop(version, tools, { structuredContent: {} });
      for (const name of Object.keys(schemas))
        await assert.rejects(client.callTool(name), {
          name: "OutputError",
          message: /but its output schema can't be used: /,
        });
    });

    test("a schema of a megabyte is not compiled (JSCH-12)", async () => {
      const huge = { type: "object", description: "x".repeat(1_000_000) };
      const { client } = await shop(version, [tool("sum", huge)], { structuredContent: {} });
      await assert.rejects(client.callTool("sum"), { name: "OutputError", message: /more than 250000 characters/ });
    });

    test("a tool that changed is checked by its new schema (CACHE-10)", async () => {
      const server = new McpServer({ name: "changes", version: "1.0.0" }, { cache: { ttlMs: 60_000 } });
      const value = server.tool("value", { output: total }, () => ({ total: 1 }));
      const client = await joined(server, version);
      await all(client.tools());
      value.update({ output: { type: "object", properties: { total: { type: "string" } } } }, () => ({ total: "1" }));
      await settle();
      assert.deepEqual((await client.callTool("value")).structuredContent, { total: "1" });
      assert.deepEqual((await client.callTool("value")).structuredContent, { total: "1" });
    });
  });

for (const structuredContent of [0, false, "", null, [], [1]])
  test(`${JSON.stringify(structuredContent)} is a value like others (J04, TOOL-36)`, async () => {
    const types = {
      number: "integer",
      boolean: "boolean",
      string: "string",
      object: structuredContent === null ? "null" : "array",
    };
    const type = types[typeof structuredContent as keyof typeof types];
    const good = await shop("2026-07-28", [tool("value", { type })], { structuredContent });
    const result = await good.client.callTool("value");
    assert.ok("structuredContent" in result);
    assert.deepEqual(result.structuredContent, structuredContent);
    const bad = await shop("2026-07-28", [tool("value", { type: "object" })], { structuredContent });
    await assert.rejects(bad.client.callTool("value"), OutputError);
  });

test("a server that can't list its tools is taken at its word", async () => {
  const { client, asked } = await scripted(
    "2026-07-28",
    { tools: {} },
    {
      "tools/call": () => ({ content: [], structuredContent: 5 }),
    },
  );
  assert.equal((await client.callTool("x")).structuredContent, 5);
  assert.equal((await client.callTool("x")).structuredContent, 5);
  assert.equal(asked.filter(({ method }) => method === "tools/call").length, 2);
});

const program = (validator: string): string => `
  import { memoryPair } from "@x/jsonrpc";
  import { connect } from "@x/mcp/client";
  import { McpServer } from "@x/mcp/server";
  const validator = ${validator};
  const server = new McpServer({ name: "s", version: "1" }, { validator });
  const schema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };
  server.tool("sum", { output: schema }, () => ({ total: 5 }));
  server.tool("plain", {}, () => "plain");
  server.tool("ask", {}, async (_args, ctx) => JSON.stringify(await ctx.elicit("total", { message: "?", schema })));
  for (const lifecycle of ["stateless", "handshake"]) {
    const [near, far] = memoryPair();
    server.connect(far, { onError: () => {} });
    const client = await connect(near, { name: "c", version: "1" }, {
      lifecycle, validator, onError: () => {}, elicit: () => ({ action: "accept", content: { total: 7 } }),
    });
    const { items } = await client.listTools();
    console.log(items.length, (await client.callTool("plain")).content[0].text);
    for (const name of ["sum", "ask"]) {
      const { content, isError } = await client.callTool(name).catch((error) => ({ content: [{ text: error.message }], isError: true }));
      console.log(isError === true, content[0].text);
    }
    await client.close();
  }`;

const run = async (validator: string): Promise<string[]> => {
  const flags = [
    "--conditions=@x/source",
    "--disallow-code-generation-from-strings",
    "--import",
    import.meta.resolve("tsx"),
  ];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, "--input-type=module", "--eval", program(validator)],
    { cwd: import.meta.dirname },
  );
  return stdout.trim().split("\n");
};

describe("where code can't be made from strings (J15)", () => {
  test("everything works with another validator", async () => {
    const own = `() => (value) => (typeof value?.total === "number" ? { value } : { issues: [{ message: "no" }] })`;
    const once = ["3 plain", 'false {"total":5}', 'false {"accepted":true,"action":"accept","content":{"total":7}}'];
    assert.deepEqual(await run(own), [...once, ...once]);
  });

  test("without one, what needs it says so, and the rest works", async () => {
    const lines = await run("undefined");
    assert.deepEqual(
      lines.filter((line) => line.endsWith("plain")),
      ["3 plain", "3 plain"],
    );
    assert.deepEqual(lines.filter((line) => line.startsWith("true")).length, 4);
    assert.ok(
      lines.some((line) => line.includes('give "validator" another one')),
      lines.join("\n"),
    );
  });
});
