import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type ContentBlock, revisions } from "@x/mcp";
import { McpServer } from "@x/mcp/server";
import { z } from "zod";
import { all, joined } from "./joined.ts";

const audio: ContentBlock = { type: "audio", data: "AA==", mimeType: "audio/wav", annotations: { priority: 1 } };
const link: ContentBlock = {
  type: "resource_link",
  uri: "x:1",
  name: "one",
  description: "The first",
  mimeType: "text/plain",
};
const others: readonly ContentBlock[] = [
  { type: "text", text: "a" },
  { type: "image", data: "AA==", mimeType: "image/png" },
  { type: "resource", resource: { uri: "x:1", text: "a" } },
];

const asResource: ContentBlock = {
  type: "resource",
  resource: { uri: "embedded:audio", mimeType: "audio/wav", blob: "AA==" },
  annotations: { priority: 1 },
};
const asText: ContentBlock = { type: "text", text: "one: x:1\nThe first" };

/** What a client of each revision gets for audio and for a link. */
const given: { readonly [version: string]: readonly ContentBlock[] } = {
  "2026-07-28": [audio, link],
  "2025-11-25": [audio, link],
  "2025-06-18": [audio, link],
  "2025-03-26": [audio, asText],
  "2024-11-05": [asResource, asText],
};

const tree = z.object({
  name: z.string(),
  get children() {
    return z.array(tree);
  },
});

function kinds(): McpServer {
  const server = new McpServer({ name: "kinds", version: "1.0.0" });
  server.tool("blocks", {}, () => [...others, audio, link]);
  server.prompt("blocks", {}, () => [audio, link].map((content) => ({ role: "user", content })));
  server.tool("number", { output: z.number() }, () => 0);
  server.tool("choice", { output: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) }, () => ({
    a: "1",
  }));
  server.tool("trees", { output: z.array(tree) }, () => [{ name: "a", children: [{ name: "b", children: [] }] }]);
  server.tool("object", { output: z.object({ result: z.number() }) }, () => ({ result: 0 }));
  server.tool("whole", {}, () => ({ content: [], structuredContent: [1] }));
  server.tool("failed", { output: z.number() }, () => ({ content: [], isError: true }));
  return server;
}

const asStructured = (value: unknown, objectOutput: boolean): unknown => (objectOutput ? { result: value } : value);

for (const { version, objectOutput } of revisions)
  describe(`content, ${version}`, () => {
    test("of tools and prompts is of kinds that the revision knows (TOOL-37, PRM-08)", async () => {
      const client = await joined(kinds(), version);
      assert.deepEqual((await client.callTool("blocks")).content, [...others, ...(given[version] ?? [])]);
      const { messages } = await client.getPrompt("blocks");
      assert.deepEqual(
        messages,
        given[version]?.map((content) => ({ role: "user", content })),
      );
    });

    test("that is structured is an object where it has to be, by the schema and not by the value (TOOL-35, TOOL-36, TOOL-39, J12)", async () => {
      const client = await joined(kinds(), version);
      const structured = async (name: string): Promise<unknown> => {
        const { content, structuredContent } = await client.callTool(name);
        const value =
          objectOutput && name !== "object" ? (structuredContent as { result: unknown }).result : structuredContent;
        if (name !== "whole") assert.deepEqual(content, [{ type: "text", text: JSON.stringify(value) }]);
        return structuredContent;
      };
      assert.deepEqual(await structured("number"), asStructured(0, objectOutput));
      assert.deepEqual(await structured("choice"), asStructured({ a: "1" }, objectOutput));
      assert.deepEqual(
        await structured("trees"),
        asStructured([{ name: "a", children: [{ name: "b", children: [] }] }], objectOutput),
      );
      assert.deepEqual(await structured("object"), { result: 0 });
      assert.deepEqual(await structured("whole"), asStructured([1], objectOutput));
      assert.ok(!("structuredContent" in (await client.callTool("failed"))));
    });

    test("has a schema of that form (TOOL-21, TOOL-22)", async () => {
      const client = await joined(kinds(), version);
      for (const { name, outputSchema } of await all(client.tools()))
        if (outputSchema && (objectOutput || name === "object")) assert.equal(outputSchema["type"], "object", name);
        else if (outputSchema) assert.equal(outputSchema["properties"], undefined, name);
    });
  });
