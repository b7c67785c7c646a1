import assert from "node:assert/strict";
import { test } from "node:test";
import { McpServer } from "@x/mcp/server";
import { z } from "zod";
import { Wire, resultOf, stateless } from "./wire.ts";

const TOOLS = 300;
const CONNECTIONS = 100;

test(`tools/list of ${TOOLS} tools is made and serialised once for ${CONNECTIONS} connections, and once more after a change`, async () => {
  const server = new McpServer({ name: "large", version: "1.0.0" });
  let serialised = 0;
  let converted = 0;
  const counted = (schema: z.ZodType): z.ZodType => {
    const { jsonSchema, ...standard } = schema["~standard"] as never as {
      jsonSchema: { input(options: object): object };
    };
    const input = (options: object): object => {
      converted++;
      return jsonSchema.input(options);
    };
    return { "~standard": { ...standard, jsonSchema: { ...jsonSchema, input } } } as never;
  };
  const _meta = {
    // JSON.stringify asks each time.
    toJSON: () => {
      serialised++;
      return {};
    },
  };
  const add = (index: number): unknown =>
    server.tool(`tool-${index}`, { input: counted(z.object({ a: z.number(), b: z.string() })), _meta }, () => "");
  for (let i = 0; i < TOOLS; i++) add(i);
  assert.equal(converted, TOOLS);

  const newer = Array.from({ length: CONNECTIONS }, () => Wire.to(server));
  const older = await Promise.all(Array.from({ length: CONNECTIONS }, () => Wire.greeted(server)));
  const listAll = async (): Promise<void> => {
    const answers = await Promise.all([
      ...newer.map((wire) => wire.ask("tools/list", stateless())),
      ...older.map((wire) => wire.ask("tools/list")),
    ]);
    for (const answer of answers) assert.equal((resultOf(answer)["tools"] as object[]).length, converted);
  };

  await listAll();
  await listAll();
  // Once for each of the two revisions.
  assert.equal(serialised, 2 * TOOLS);
  assert.equal(converted, TOOLS);

  serialised = 0;
  add(TOOLS);
  await listAll();
  assert.equal(serialised, 2 * (TOOLS + 1));
  assert.equal(converted, TOOLS + 1);
});
