import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { revisions } from "@x/mcp";
import { McpServer } from "@x/mcp/server";
import * as v from "valibot";
import { z } from "zod";
import { Wire, resultOf, stateless, textOf } from "./wire.ts";

const serverOf = (): McpServer => new McpServer({ name: "test", version: "1.0.0" });
const CHANGED = "notifications/tools/list_changed";

const namesOf = async (wire: Wire): Promise<string[]> =>
  (resultOf(await wire.ask("tools/list"))["tools"] as { name: string }[]).map(({ name }) => name);
const call = (wire: Wire, name: string) => wire.ask("tools/call", { name });

describe("a registration that can't be published throws and names the tool", () => {
  for (const name of ["", "a b", "a,b", "grüße", "a".repeat(129), "a/b"])
    test(`the name ${JSON.stringify(name.slice(0, 10))} (TOOL-25, TOOL-27, TOOL-28)`, () => {
      assert.throws(() => serverOf().tool(name, {}, () => ""), {
        name: "TypeError",
        message: `tool "${name}": a name has 1 to 128 of the characters A-Z a-z 0-9 _ - .`,
      });
    });

  test("names that are allowed (TOOL-25, TOOL-26, TOOL-27)", () => {
    const server = serverOf();
    for (const name of ["a", "A", "a".repeat(128), "Az09_-.", "__proto__", "constructor"])
      assert.equal(server.tool(name, {}, () => "").name, name);
  });

  test("a name that is taken (TOOL-29)", () => {
    const server = serverOf();
    server.tool("book", {}, () => "");
    assert.throws(() => server.tool("book", {}, () => ""), /tool "book": registered already; update or remove/);
  });

  for (const [what, input, reason] of [
    [
      "a schema of another root",
      { type: "array" },
      /tool "book": the schema of its arguments must have "type": "object"/,
    ],
    [
      "a schema without a root type",
      { properties: {} },
      /tool "book": the schema of its arguments must have "type": "object"/,
    ],
    ["null", null, /tool "book"/],
    ["a list", [], /tool "book": a schema must be an object/],
    ["a string", "object", /tool "book": a schema must be an object/],
    [
      "an unknown dialect",
      { $schema: "http://json-schema.org/draft-04/schema#", type: "object" },
      /tool "book": JSON Schema dialect "http:\/\/json-schema.org\/draft-04\/schema#" is not supported; use 2020-12 or draft-07/,
    ],
    [
      "zod without an object at its root",
      z.string(),
      /tool "book": the schema of its arguments must have "type": "object"/,
    ],
    ["zod that has no JSON Schema", z.object({ at: z.date() }), /tool "book": .*Date/],
    [
      "valibot as it is",
      v.object({ a: v.string() }),
      /tool "book": a schema of "valibot" without JSON Schema can't be published; wrap it with toStandardJsonSchema from @valibot\/to-json-schema/,
    ],
  ] as const)
    test(`${what} as input (TOOL-17, TOOL-18, TOOL-19, JSCH-05)`, () => {
      const server = serverOf();
      assert.throws(() => server.tool("book", { input: input as never }, () => ""), {
        name: "TypeError",
        message: reason,
      });
      assert.equal(server.tool("book", {}, () => "").name, "book", "the name is still free");
    });
});

describe("a registration while clients are connected", () => {
  test("update replaces options, and the handler where one is given; its place stays (TOOL-07)", async () => {
    const server = serverOf();
    const book = server.tool("book", { description: "one" }, () => "one");
    server.tool("other", {}, () => "");
    const wire = await Wire.greeted(server);

    book.update({ description: "two" }, () => "two");
    assert.equal(textOf(await call(wire, "book")), "two");
    book.update({ description: "three" });
    assert.equal(textOf(await call(wire, "book")), "two");
    const [first] = resultOf(await wire.ask("tools/list"))["tools"] as { description: string }[];
    assert.equal(first?.description, "three");
    assert.deepEqual(await namesOf(wire), ["book", "other"]);
    assert.equal(wire.heard(CHANGED).length, 2);
  });

  test("an update that can't be published throws and changes nothing", async () => {
    const server = serverOf();
    const book = server.tool("book", {}, () => "one");
    const wire = await Wire.greeted(server);
    assert.throws(() => book.update({ input: { type: "string" } }, () => "two"), /tool "book"/);
    assert.equal(textOf(await call(wire, "book")), "one");
    assert.deepEqual(wire.heard(CHANGED), []);
  });

  test("disable hides it, enable shows it; each is told once, and what changes nothing is not told", async () => {
    const server = serverOf();
    const book = server.tool("book", {}, () => "one");
    const wire = await Wire.greeted(server);

    book.disable();
    assert.deepEqual(await namesOf(wire), []);
    assert.equal((await call(wire, "book")).error?.code, -32602);
    book.disable();
    book.update({ description: "still hidden" });
    assert.deepEqual(await namesOf(wire), []);
    wire.received.length = 0;
    book.enable();
    assert.deepEqual(await namesOf(wire), ["book"]);
    book.enable();
    await wire.ask("ping");
    assert.equal(wire.heard(CHANGED).length, 1);
  });

  test("remove takes it away for good and frees its name", async () => {
    const server = serverOf();
    const old = server.tool("book", {}, () => "old");
    const wire = await Wire.greeted(server);
    old.disable();
    old.remove();
    assert.deepEqual(await namesOf(wire), []);

    server.tool("book", {}, () => "new");
    old.remove();
    old.disable();
    assert.throws(() => old.update({}), /tool "book": it was removed; register it again/);
    assert.equal(textOf(await call(wire, "book")), "new");
  });

  test("a call that runs goes on when its tool is removed", async () => {
    const server = serverOf();
    let release!: (text: string) => void;
    const held = new Promise<string>((resolve) => (release = resolve));
    const slow = server.tool("slow", {}, () => held);
    const wire = await Wire.greeted(server);
    const answer = call(wire, "slow");
    await wire.ask("ping");
    slow.remove();
    release("done");
    assert.equal(textOf(await answer), "done");
  });

  test("a method of any revision is nobody's own", () => {
    const names = new Set(revisions.flatMap(({ requests }) => [...requests]));
    assert.ok(names.has("initialize") && names.has("server/discover"));
    for (const name of names)
      assert.throws(() => serverOf().method(name, () => ({})), { message: `"${name}" is a method of the protocol` });
    serverOf().method("resources/subscribers", () => ({}));
  });

  test("the first tool may come after the clients: tools/list is there from then on", async () => {
    const server = serverOf();
    const wire = Wire.to(server);
    assert.equal((await wire.ask("tools/list", stateless())).error?.code, -32601);
    server.tool("book", {}, () => "");
    assert.ok((await wire.ask("tools/list", stateless())).result);
  });
});
