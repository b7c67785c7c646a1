// What the types promise. Each `@ts-expect-error` is checked by `tsc`, which fails where there is no error.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { connect } from "@x/mcp/client";
import { type McpContext, McpServer } from "@x/mcp/server";
import { memoryPair } from "@x/jsonrpc";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Compiles where the claim is true. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- the constraint is what checks
const claim = <_Claim extends true>(): void => {};

const server = new McpServer({ name: "types", version: "1.0.0" });
const Room = z.object({ roomId: z.string(), seats: z.number().default(4) });

test("arguments have the schema's type, after defaults and transforms", () => {
  server.tool("zod", { input: Room }, (args, context) => {
    claim<Same<typeof args, { roomId: string; seats: number }>>();
    claim<Same<typeof context, McpContext>>();
    // @ts-expect-error -- there is no such argument
    void args.roomID;
    return args.roomId;
  });
  server.tool("valibot", { input: toStandardJsonSchema(v.object({ seats: v.optional(v.number(), 4) })) }, (args) => {
    claim<Same<typeof args, { seats: number }>>();
    return "";
  });
  server.tool("arktype", { input: type({ roomId: "string", "seats?": "number" }) }, (args) => {
    claim<Same<typeof args, { roomId: string; seats?: number }>>();
    return "";
  });
  server.tool("transform", { input: z.object({ seats: z.string().transform(Number) }) }, async (args) => {
    claim<Same<typeof args, { seats: number }>>();
    return "";
  });
  server.tool("json-schema", { input: { type: "object" } }, (args) => {
    claim<Same<typeof args, Record<string, unknown>>>();
    return "";
  });
  server.tool("none", {}, (args) => {
    claim<Same<typeof args, Record<string, unknown>>>();
  });
});

test("a handler returns text or content, and with an output schema its value", () => {
  const Sum = z.object({ sum: z.number(), kind: z.enum(["exact", "about"]) });
  server.tool("block", {}, () => ({ type: "text", text: "a" }));
  server.tool("blocks", {}, async () => [{ type: "image", data: "", mimeType: "image/png" }]);
  server.tool("whole", { input: Room }, ({ roomId }) => ({ content: [{ type: "text", text: roomId }], isError: true }));
  server.tool("value", { output: Sum }, () => ({ sum: 1, kind: "exact" }));
  server.tool("value-or-failure", { output: Sum }, async () =>
    Math.random() < 2 ? { sum: 1, kind: "about" } : { content: [{ type: "text", text: "no" }], isError: true },
  );
  // @ts-expect-error -- an image has data (TOOL-45)
  server.tool("image", {}, () => ({ type: "image", mimeType: "image/png" }));
  // @ts-expect-error -- a sound has a type (TOOL-45)
  server.tool("sound", {}, () => ({ type: "audio", data: "" }));
  // @ts-expect-error -- a number is no content
  server.tool("number", {}, () => 5);
  // @ts-expect-error -- the sum is a number
  server.tool("text-for-number", { output: Sum }, () => ({ sum: "1", kind: "exact" }));
  // @ts-expect-error -- there is no such kind
  server.tool("wrong-enum", { output: Sum }, async () => ({ sum: 1, kind: "wrong" }));
  // @ts-expect-error -- a member is missing
  server.tool("missing", { input: Room, output: Sum }, ({ seats }) => ({ sum: seats }));
});

test("a client that knows a server's tools knows their names, arguments and results", async () => {
  const office = new McpServer({ name: "typed", version: "1.0.0" });
  const book = office.tool("book", { input: Room, output: z.object({ id: z.string() }) }, ({ roomId }) => ({
    id: roomId,
  }));
  const free = office.tool("free", { input: z.object({ roomId: z.string() }) }, ({ roomId }) => roomId);
  const [near, far] = memoryPair();
  office.connect(far);
  const client = (await connect(near, { name: "test", version: "1.0.0" })).as<typeof book | typeof free>();

  const { structuredContent } = await client.callTool("book", { roomId: "A301" });
  claim<Same<typeof structuredContent, { id: string } | undefined>>();
  assert.deepEqual(structuredContent, { id: "A301" });
  // @ts-expect-error -- roomId is missing
  await client.callTool("book", { seats: 4 });
  // @ts-expect-error -- roomId is a string
  await client.callTool("free", { roomId: 5 });
  // @ts-expect-error -- there is no such tool
  await assert.rejects(client.callTool("buy", {}));
  await client.close();
});

test("a client that knows nothing of a server takes any name and any arguments", async () => {
  const [near, far] = memoryPair();
  server.connect(far);
  const client = await connect(near, { name: "test", version: "1.0.0" });
  const result = await client.callTool("none", { anything: [1] });
  claim<Same<typeof result.structuredContent, unknown>>();
  await client.close();
});

test("a server with one tool is eight lines of user code, types from the schema", () => {
  // smallest.ts is compiled with the tests, and started by failures.test.ts.
  const lines = readFileSync(new URL("smallest.ts", import.meta.url), "utf8").split("\n");
  assert.ok(lines.filter((line) => line.trim() !== "" && !line.startsWith("//")).length <= 8);
});
