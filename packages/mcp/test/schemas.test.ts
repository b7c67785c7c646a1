import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { McpServer, type McpServerOptions, type Schema } from "@x/mcp/server";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { Wire, resultOf, stateless, textOf } from "./wire.ts";

/** A server whose tool gives back the arguments that reach it. */
function reflect(input: Schema, options?: McpServerOptions): Wire {
  const server = new McpServer({ name: "test", version: "1.0.0" }, options);
  server.tool("book", { input }, (args) => JSON.stringify(args));
  return Wire.to(server);
}

const book = (wire: Wire, args: object) => wire.ask("tools/call", stateless({ name: "book", arguments: args }));

async function schemaOf(wire: Wire): Promise<Record<string, unknown>> {
  const [tool] = resultOf(await wire.ask("tools/list", stateless()))["tools"] as {
    inputSchema: Record<string, unknown>;
  }[];
  return tool!.inputSchema;
}

const libraries: readonly [name: string, schema: Schema][] = [
  ["zod", z.object({ roomId: z.string(), seats: z.int().default(4) })],
  [
    "valibot, with toStandardJsonSchema",
    toStandardJsonSchema(v.object({ roomId: v.string(), seats: v.optional(v.pipe(v.number(), v.integer()), 4) })),
  ],
  ["arktype", type({ roomId: "string", seats: "number.integer = 4" })],
];

for (const [name, schema] of libraries)
  describe(name, () => {
    test("is published as JSON Schema: what goes in, with what may be left out", async () => {
      const json = await schemaOf(reflect(schema));
      assert.equal(json["type"], "object");
      assert.deepEqual(json["required"], ["roomId"]);
      assert.deepEqual(Object.keys(json["properties"] as object).sort(), ["roomId", "seats"]);
      assert.equal(
        json["$schema"] ?? "https://json-schema.org/draft/2020-12/schema",
        "https://json-schema.org/draft/2020-12/schema",
      );
    });

    test("gives the handler what it lets through, defaults filled in", async () => {
      assert.equal(textOf(await book(reflect(schema), { roomId: "A301" })), '{"roomId":"A301","seats":4}');
    });

    test("says where what doesn't fit is (TOOL-53)", async () => {
      const answer = await book(reflect(schema), { roomId: 5 });
      assert.equal(resultOf(answer)["isError"], true);
      assert.match(textOf(answer), /^Invalid arguments for tool "book": roomId: .+ \(at \/roomId\)$/);
    });
  });

test("a schema that checks asynchronously is awaited", async () => {
  const input = z.object({ roomId: z.string().refine(async (id) => Promise.resolve(id === "A301"), "no such room") });
  assert.equal(textOf(await book(reflect(input), { roomId: "A301" })), '{"roomId":"A301"}');
  assert.match(textOf(await book(reflect(input), { roomId: "A302" })), /roomId: no such room \(at \/roomId\)/);
});

test("a schema that transforms: clients see what goes in, the handler what comes out", async () => {
  const input = z.object({ seats: z.string().transform(Number) });
  const wire = reflect(input);
  assert.deepEqual((await schemaOf(wire))["properties"], { seats: { type: "string" } });
  assert.equal(textOf(await book(wire, { seats: "7" })), '{"seats":7}');
});

test("a schema that checks several members at once says so without a place", async () => {
  const input = z
    .object({ from: z.number(), to: z.number() })
    .refine(({ from, to }) => from < to, "to must come after from");
  assert.equal(
    textOf(await book(reflect(input), { from: 2, to: 1 })),
    'Invalid arguments for tool "book": to must come after from',
  );
});

describe("JSON Schema", () => {
  const seats = { type: "object", properties: { seats: { type: "integer", minimum: 1 } }, required: ["seats"] };

  test("is published untouched, whatever it says (TOOL-18)", async () => {
    const input = {
      ...seats,
      $defs: { a: { type: "string" } },
      oneOf: [{}],
      "x-mine": [1],
      additionalProperties: false,
    };
    assert.deepEqual(await schemaOf(reflect(input)), input);
  });

  test("checks the arguments and says where they don't fit (TOOL-53)", async () => {
    const wire = reflect({ ...seats, additionalProperties: false });
    assert.equal(textOf(await book(wire, { seats: 3 })), '{"seats":3}');
    for (const [args, reason] of [
      [{}, /: seats: is required \(at \/seats\)$/],
      [{ seats: 0 }, /: seats: must be >= 1 \(at \/seats\)$/],
      [{ seats: 1, extra: 1 }, /: extra: is not allowed \(at \/extra\)$/],
    ] as const)
      assert.match(textOf(await book(wire, args)), reason);
  });

  test("is 2020-12 unless it says otherwise (JSCH-01, TOOL-23)", async () => {
    const pair = { type: "object", properties: { pair: { prefixItems: [{ type: "string" }], items: false } } };
    for (const input of [pair, { $schema: "https://json-schema.org/draft/2020-12/schema", ...pair }]) {
      const wire = reflect(input);
      assert.equal(textOf(await book(wire, { pair: ["a"] })), '{"pair":["a"]}');
      assert.match(textOf(await book(wire, { pair: ["a", 1] })), /pair/);
    }
  });

  test("may be draft-07, whose words mean what they meant there (JSCH-02, JSCH-04)", async () => {
    for (const end of ["", "#"]) {
      const wire = reflect({
        $schema: `http://json-schema.org/draft-07/schema${end}`,
        type: "object",
        definitions: { room: { type: "string" } },
        properties: { rooms: { items: [{ $ref: "#/definitions/room" }], additionalItems: false } },
      });
      assert.equal(textOf(await book(wire, { rooms: ["A301"] })), '{"rooms":["A301"]}');
      assert.match(textOf(await book(wire, { rooms: [1] })), /rooms\.0: must be string \(at \/rooms\/0\)/);
      assert.match(textOf(await book(wire, { rooms: ["A301", "A302"] })), /rooms: /);
    }
  });

  test("references within it are followed", async () => {
    const wire = reflect({
      type: "object",
      properties: { tree: { $ref: "#/$defs/tree" } },
      $defs: { tree: { type: "object", properties: { next: { $ref: "#/$defs/tree" } }, additionalProperties: false } },
    });
    assert.equal(textOf(await book(wire, { tree: { next: { next: {} } } })), '{"tree":{"next":{"next":{}}}}');
    assert.match(textOf(await book(wire, { tree: { next: { leaf: 1 } } })), /tree\.next\.leaf: is not allowed/);
  });

  test("arguments named like an object's own members are arguments", async () => {
    const wire = reflect({ type: "object", properties: { constructor: { type: "string" } } });
    const args = JSON.parse('{"constructor":"a","__proto__":{"polluted":true}}') as object;
    assert.equal(textOf(await book(wire, args)), '{"constructor":"a","__proto__":{"polluted":true}}');
    assert.ok(!("polluted" in {}));
  });

  test("another validator may check it (J15)", async () => {
    const seen: unknown[] = [];
    const wire = reflect(seats, {
      validator: (schema) => (value) => {
        seen.push(schema, value);
        return { issues: [{ message: "not today", path: ["seats"] }] };
      },
    });
    assert.match(textOf(await book(wire, { seats: 3 })), /: seats: not today \(at \/seats\)$/);
    assert.deepEqual(seen, [seats, { seats: 3 }]);
  });

  test("calls at once before the schema is compiled are all checked", async () => {
    const wire = reflect(seats);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => book(wire, { seats: i })));
    assert.deepEqual(
      answers.map((answer) => resultOf(answer)["isError"] === true),
      Array.from({ length: 20 }, (_, i) => i === 0),
    );
  });
});
