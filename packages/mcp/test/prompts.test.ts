import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ContentBlock, PromptMessage } from "@x/mcp";
import { McpServer } from "@x/mcp/server";
import { type } from "arktype";
import { z } from "zod";
import { all, both, joined, settle } from "./joined.ts";
import { Wire, resultOf, stateless } from "./wire.ts";

const text = (words: string): ContentBlock => ({ type: "text", text: words });
const user = (words: string): PromptMessage => ({ role: "user", content: text(words) });

function library(): McpServer {
  const server = new McpServer({ name: "library", version: "1.0.0" });
  server.prompt(
    "review",
    {
      title: "Review",
      description: "Reviews code",
      arguments: [{ name: "code", title: "Code", description: "What to review", required: true }, { name: "tone" }],
      icons: [{ src: "https://library.example/review.png" }],
      _meta: { "example.com/kind": "review" },
    },
    ({ code, tone = "kind" }) => `Review ${code}, be ${tone}`,
  );
  server.prompt("hello", {}, () => user("Hello"));
  return server;
}

for (const version of both)
  describe(`prompts, ${version}`, () => {
    test("are listed with all that is known of them (PRM-02, PRM-03, PRM-04, META-02, ICON-01, ICON-11)", async () => {
      const client = await joined(library(), version);
      assert.deepEqual(await all(client.prompts()), [
        {
          name: "review",
          title: "Review",
          description: "Reviews code",
          arguments: [{ name: "code", title: "Code", description: "What to review", required: true }, { name: "tone" }],
          icons: [{ src: "https://library.example/review.png" }],
          _meta: { "example.com/kind": "review" },
        },
        { name: "hello" },
      ]);
    });

    test("get their arguments and give messages (PRM-07, PRM-08)", async () => {
      const client = await joined(library(), version);
      assert.deepEqual((await client.getPrompt("review", { code: "x++" })).messages, [user("Review x++, be kind")]);
      const { messages } = await client.getPrompt("review", { code: "x++", tone: "stern", other: "1" });
      assert.deepEqual(messages, [user("Review x++, be stern")]);
      assert.deepEqual((await client.getPrompt("hello")).messages, [user("Hello")]);
    });

    test("may give a text, a message, messages, or a whole result (PRM-07, PRM-08)", async () => {
      const server = new McpServer({ name: "returns", version: "1.0.0" });
      const messages = [user("a"), { role: "assistant", content: text("b") } as const];
      server.prompt("text", {}, async () => "a");
      server.prompt("message", {}, () => user("a"));
      server.prompt("messages", {}, () => messages);
      server.prompt("whole", {}, () => ({ description: "d", messages, _meta: { "example.com/a": 1 } }));
      const client = await joined(server, version);
      assert.deepEqual((await client.getPrompt("text")).messages, [user("a")]);
      assert.deepEqual((await client.getPrompt("message")).messages, [user("a")]);
      assert.deepEqual((await client.getPrompt("messages")).messages, messages);
      const { description, messages: given, _meta } = await client.getPrompt("whole");
      assert.deepEqual([description, given, _meta?.["example.com/a"]], ["d", messages, 1]);
    });

    const kinds: readonly ContentBlock[] = [
      text("a"),
      { type: "image", data: "AA==", mimeType: "image/png" },
      { type: "audio", data: "AA==", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "x:1", mimeType: "text/plain", text: "a" } },
      { type: "resource", resource: { uri: "x:1", mimeType: "image/png", blob: "AA==" } },
      { type: "resource_link", uri: "x:1", name: "one" },
    ];
    for (const content of kinds)
      test(`carry ${JSON.stringify(content).slice(0, 60)} (PRM-08, PRM-09, PRM-10, PRM-11)`, async () => {
        const server = new McpServer({ name: "kinds", version: "1.0.0" });
        server.prompt("one", {}, () => ({ role: "user", content }));
        const client = await joined(server, version);
        assert.deepEqual((await client.getPrompt("one")).messages, [{ role: "user", content }]);
      });

    const schemas = {
      zod: z.object({ count: z.coerce.number().describe("How many"), unit: z.string().optional() }),
      arktype: type({ count: "string.numeric.parse", "unit?": "string" }),
    };
    for (const [name, schema] of Object.entries(schemas))
      test(`take what a schema of ${name} lets through (PRM-03, PRM-14, PRM-15)`, async () => {
        const server = new McpServer({ name: "schemas", version: "1.0.0" });
        server.prompt("order", { arguments: schema }, ({ count, unit = "pieces" }) => `${count + 1} ${unit}`);
        const client = await joined(server, version);
        const [{ arguments: listed = [] } = { arguments: [] }] = await all(client.prompts());
        assert.deepEqual(
          listed.map(({ name: argument, required }) => [argument, required]),
          [
            ["count", true],
            ["unit", false],
          ],
        );
        assert.deepEqual((await client.getPrompt("order", { count: "4" })).messages, [user("5 pieces")]);
        await assert.rejects(client.getPrompt("order", { count: "four" }), {
          code: -32602,
          message: /prompt "order": count/,
        });
        await assert.rejects(client.getPrompt("order", {}), { code: -32602, message: /prompt "order": count/ });
      });

    test("take what a JSON Schema lets through (PRM-15)", async () => {
      const server = new McpServer({ name: "schemas", version: "1.0.0" });
      const schema = {
        type: "object",
        properties: { size: { type: "string", enum: ["s", "m"], description: "Size" } },
      };
      server.prompt("order", { arguments: schema }, ({ size = "m" }) => `one of ${size}`);
      const client = await joined(server, version);
      assert.deepEqual(await all(client.prompts()), [
        { name: "order", arguments: [{ name: "size", description: "Size", required: false }] },
      ]);
      assert.deepEqual((await client.getPrompt("order", { size: "s" })).messages, [user("one of s")]);
      await assert.rejects(client.getPrompt("order", { size: "xl" }), { code: -32602, message: /size.*\(at \/size\)/ });
    });

    test("refuse a missing argument and an unknown name, and say which (PRM-14)", async () => {
      const client = await joined(library(), version);
      await assert.rejects(client.getPrompt("review"), {
        code: -32602,
        message: 'Invalid arguments for prompt "review": code: is required (at /code)',
      });
      await assert.rejects(client.getPrompt("nothing"), { code: -32602, message: 'Unknown prompt: "nothing"' });
    });

    for (const args of [{ code: 5 }, { code: null }, { code: ["x"] }, [], "code", 5])
      test(`refuse ${JSON.stringify(args)} as arguments (PRM-07, PRM-15)`, async () => {
        const client = await joined(library(), version);
        await assert.rejects(client.request("prompts/get", { name: "review", arguments: args }), {
          code: -32602,
          message: 'prompt "review": "arguments" must be an object of strings',
        });
      });

    test("what a handler throws is -32603, and tells nothing (PRM-14)", async () => {
      const server = new McpServer({ name: "broken", version: "1.0.0" });
      server.prompt("throws", {}, () => {
        throw new Error("the password is 1234");
      });
      server.prompt("odd", {}, () => ({ odd: true }) as unknown as string);
      const client = await joined(server, version);
      await assert.rejects(client.getPrompt("throws"), { code: -32603, message: "Internal error" });
      await assert.rejects(client.getPrompt("odd"), { code: -32603, message: /prompt "odd" returned neither/ });
    });

    test("a change of the list is announced, and seen (PRM-12, PRM-13)", async () => {
      const server = library();
      const client = await joined(server, version);
      const changes: unknown[] = [];
      await using watching = client.subscribe({ prompts: true }, (change) => changes.push(change));
      assert.deepEqual(await watching.ready, { prompts: true });
      const added = server.prompt("bye", {}, () => "Bye");
      await settle();
      assert.deepEqual(changes, [{ list: "prompts" }]);
      added.remove();
      await settle();
      assert.equal(changes.length, 2);
      await assert.rejects(client.getPrompt("bye"), { code: -32602 });
    });

    test("ask the client in the middle of their work, and report to it", async () => {
      const server = new McpServer({ name: "asks", version: "1.0.0" });
      server.prompt("greet", {}, async (_args, ctx) => {
        const answer = await ctx.elicit("name", { message: "Name?", schema: z.object({ name: z.string() }) });
        return answer.accepted ? `Greet ${answer.content.name}` : "Greet nobody";
      });
      const client = await joined(server, version, { elicit: () => ({ action: "accept", content: { name: "Ann" } }) });
      assert.deepEqual((await client.getPrompt("greet")).messages, [user("Greet Ann")]);
    });

    test("are the same on every connection, and may be none (PRM-05, PRM-06)", async () => {
      const server = new McpServer({ name: "few", version: "1.0.0" });
      const only = server.prompt("only", {}, () => "");
      const [one, two] = [await joined(server, version), await joined(server, version)];
      await one.getPrompt("only");
      assert.deepEqual(await all(one.prompts()), await all(two.prompts()));
      only.disable();
      assert.deepEqual(await all(one.prompts()), []);
    });

    test("long lists come page by page (PRM-16, PAGE-01, PAGE-02)", async () => {
      const server = new McpServer({ name: "many", version: "1.0.0" }, { pageSize: 4 });
      for (let i = 0; i < 10; i++) server.prompt(`p${i}`, {}, () => "");
      const client = await joined(server, version);
      const first = await client.listPrompts();
      assert.deepEqual([first.items.length, typeof first.nextCursor], [4, "string"]);
      const names = (await all(client.prompts())).map(({ name }) => name);
      assert.deepEqual(
        names,
        Array.from({ length: 10 }, (_, i) => `p${i}`),
      );
    });
  });

test("a server with prompts declares them; one without answers -32601 (PRM-01, DISC-07, BASE-34)", async () => {
  const wire = Wire.to(library());
  const { capabilities } = resultOf(await wire.ask("server/discover", stateless())) as { capabilities: object };
  assert.deepEqual(capabilities, { logging: {}, prompts: { listChanged: true } });
  const bare = Wire.to(new McpServer({ name: "bare", version: "1.0.0" }));
  for (const method of ["prompts/list", "prompts/get"])
    assert.equal((await bare.ask(method, stateless({ name: "x" }))).error?.code, -32601);
});

test("a prompt that can't be published is refused by name", () => {
  const server = library();
  assert.throws(() => server.prompt("review", {}, () => ""), /TypeError: prompt "review": registered already/);
  assert.throws(
    () => server.prompt("x", { arguments: { type: "string" } }, () => ""),
    /TypeError: prompt "x": .*"type": "object"/,
  );
});

test("arguments are typed by their list or schema", () => {
  const server = new McpServer({ name: "types", version: "1.0.0" });
  server.prompt(
    "list",
    { arguments: [{ name: "a", required: true }, { name: "b" }], complete: { a: () => [] } },
    (args) => {
      const a: string = args.a;
      const b: string | undefined = args.b;
      // @ts-expect-error: it may be missing
      const wrong: string = args.b;
      // @ts-expect-error: there is no such argument
      return [a, b, wrong, args.c].join("");
    },
  );
  server.prompt("schema", { arguments: z.object({ n: z.coerce.number() }), complete: { n: () => [] } }, ({ n }) =>
    n.toFixed(1),
  );
  // @ts-expect-error: there is no such argument
  server.prompt("other", { arguments: [{ name: "a" }], complete: { b: () => [] } }, () => "");
  // @ts-expect-error: neither text nor message
  server.prompt("number", {}, () => 5);
});
