import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CapabilityError } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { both, joined, scripted } from "./joined.ts";
import { Wire, resultOf, stateless } from "./wire.ts";

const languages = ["python", "pytorch", "ruby"];

function editor(): McpServer {
  const server = new McpServer({ name: "editor", version: "1.0.0" });
  server.prompt(
    "review",
    {
      arguments: [{ name: "language" }, { name: "framework" }, { name: "free" }],
      complete: {
        language: (typed) => languages.filter((language) => language.startsWith(typed)),
        framework: async (typed, { language }, ctx) => [`${language ?? "any"}/${typed}`, ctx.client.revision.version],
      },
    },
    () => "",
  );
  server.resource(
    "file:///{+path}{?line}",
    { complete: { path: (typed) => Array.from({ length: 150 }, (_, i) => `${typed}${i}`) } },
    () => "",
  );
  server.resource("file:///plain", {}, () => "");
  return server;
}

const template = { template: "file:///{+path}{?line}" };

for (const version of both)
  describe(`completion, ${version}`, () => {
    test("of a prompt's argument (CMPL-02, CMPL-03, CMPL-05)", async () => {
      const client = await joined(editor(), version);
      const argument = { name: "language", value: "py" };
      assert.deepEqual(await client.complete({ prompt: "review" }, argument), {
        values: ["python", "pytorch"],
        total: 2,
        hasMore: false,
      });
    });

    test("knows the arguments that are settled, and who asks (CMPL-04)", async () => {
      const client = await joined(editor(), version);
      const argument = { name: "framework", value: "fla" };
      const { values } = await client.complete({ prompt: "review" }, argument, { others: { language: "python" } });
      assert.deepEqual(values, ["python/fla", version]);
      assert.equal((await client.complete({ prompt: "review" }, argument)).values[0], "any/fla");
    });

    test("gives a hundred values, and says how many there are (CMPL-05)", async () => {
      const client = await joined(editor(), version);
      const { values, total, hasMore } = await client.complete(template, { name: "path", value: "a" });
      assert.deepEqual([values.length, values[99], total, hasMore], [100, "a99", 150, true]);
    });

    test("of an argument that nothing completes is empty", async () => {
      const client = await joined(editor(), version);
      const nothing = { values: [], total: 0, hasMore: false };
      assert.deepEqual(await client.complete({ prompt: "review" }, { name: "free", value: "" }), nothing);
      assert.deepEqual(await client.complete(template, { name: "line", value: "" }), nothing);
    });

    const wrong: readonly (readonly [why: string, params: object])[] = [
      ["an unknown prompt", { ref: { type: "ref/prompt", name: "x" }, argument: { name: "language", value: "" } }],
      ["an unknown template", { ref: { type: "ref/resource", uri: "x:{y}" }, argument: { name: "y", value: "" } }],
      [
        "a resource, which has no variables",
        { ref: { type: "ref/resource", uri: "file:///plain" }, argument: { name: "path", value: "" } },
      ],
      ["an unknown argument", { ref: { type: "ref/prompt", name: "review" }, argument: { name: "x", value: "" } }],
      ["an inherited name", { ref: { type: "ref/prompt", name: "review" }, argument: { name: "toString", value: "" } }],
      ["an unknown kind", { ref: { type: "ref/tool", name: "review" }, argument: { name: "language", value: "" } }],
      ["no reference", { argument: { name: "language", value: "" } }],
      ["null", { ref: null, argument: null, context: null }],
      ["no argument", { ref: { type: "ref/prompt", name: "review" } }],
      [
        "a value that is no string",
        { ref: { type: "ref/prompt", name: "review" }, argument: { name: "language", value: 5 } },
      ],
    ];
    for (const [why, params] of wrong)
      test(`of ${why} is -32602 (CMPL-06, CMPL-09)`, async () => {
        const client = await joined(editor(), version);
        await assert.rejects(client.request("completion/complete", params), {
          code: -32602,
          message: /^completion\/complete: /,
        });
      });

    test("takes a context that makes no sense for none (CMPL-09)", async () => {
      const client = await joined(editor(), version);
      const params = { ref: { type: "ref/prompt", name: "review" }, argument: { name: "framework", value: "" } };
      for (const context of [5, null, { arguments: 5 }, { arguments: { language: 5 } }])
        assert.ok(await client.request("completion/complete", { ...params, context }));
    });

    test("of what was disabled is -32602", async () => {
      const server = editor();
      const prompt = server.prompt("x", { arguments: [{ name: "a" }], complete: { a: () => ["b"] } }, () => "");
      const client = await joined(server, version);
      prompt.disable();
      await assert.rejects(client.complete({ prompt: "x" }, { name: "a", value: "" }), { code: -32602 });
    });
  });

const capabilities = async (server: McpServer): Promise<object> =>
  resultOf(await Wire.to(server).ask("server/discover", stateless()))["capabilities"] as object;

test("is declared by servers where something completes, and -32601 elsewhere (CMPL-01, CMPL-06, DISC-07)", async () => {
  assert.ok("completions" in (await capabilities(editor())));
  const plain = new McpServer({ name: "plain", version: "1.0.0" });
  const prompt = plain.prompt("x", { arguments: [{ name: "a" }] }, () => "");
  assert.ok(!("completions" in (await capabilities(plain))));
  const params = { ref: { type: "ref/prompt", name: "x" }, argument: { name: "a", value: "" } };
  assert.equal((await Wire.to(plain).ask("completion/complete", stateless(params))).error?.code, -32601);
  prompt.update({ arguments: [{ name: "a" }], complete: { a: () => ["b"] } });
  assert.ok("completions" in (await capabilities(plain)));
});

test("is asked of servers that declare it, and of those of 2024-11-05, which can't (CMPL-01)", async () => {
  const answers = { "completion/complete": () => ({ completion: { values: ["a"] } }) };
  const argument = { name: "a", value: "" };
  for (const version of ["2026-07-28", "2025-11-25", "2025-03-26"]) {
    const { client, asked } = await scripted(version, { prompts: {} }, answers);
    await assert.rejects(client.complete({ prompt: "x" }, argument), CapabilityError);
    assert.deepEqual(asked, []);
  }
  const { client } = await scripted("2024-11-05", { prompts: {} }, answers);
  assert.deepEqual(await client.complete({ prompt: "x" }, argument), { values: ["a"] });
});

test("what a server leaves out or adds is borne (CMPL-08)", async () => {
  const answers = { "completion/complete": () => ({ completion: { values: [], other: 1 }, extra: true }) };
  const { client } = await scripted("2025-11-25", { completions: {} }, answers);
  assert.deepEqual((await client.complete({ template: "x:{a}" }, { name: "a", value: "" })).values, []);
});
