import assert from "node:assert/strict";
import { test } from "node:test";
import { type } from "arktype";
import { type Peer, createPeer, implement, memoryPair } from "@x/jsonrpc";
import { type ContractOf, type Schemas, type StandardSchema, ValidationError, validate } from "@x/jsonrpc/middleware";
import * as v from "valibot";
import { z } from "zod";
import { codeOf, failure, join as joinFarEnd, notification, request, settled, success } from "../far-end.ts";
import { join } from "./joined.ts";

/** The same methods in three libraries. */
const shops = {
  zod: {
    price: {
      params: z.object({ item: z.string(), count: z.number().default(1) }),
      result: z.object({ total: z.number() }),
    },
  },
  valibot: {
    price: {
      params: v.object({ item: v.string(), count: v.optional(v.number(), 1) }),
      result: v.object({ total: v.number() }),
    },
  },
  arktype: {
    price: {
      params: type({ item: "string", count: "number = 1" }),
      result: type({ "+": "delete", total: "number" }),
    },
  },
} satisfies Record<string, Schemas>;

/** The same schema, but its answers take a turn. */
function later<In, Out>(schema: StandardSchema<In, Out>): StandardSchema<In, Out> {
  const { validate: now, ...rest } = schema["~standard"];
  return {
    "~standard": {
      ...rest,
      async validate(value) {
        await new Promise((resolve) => setImmediate(resolve));
        return now(value);
      },
    },
  };
}

for (const [library, schemas] of Object.entries(shops))
  for (const timing of ["sync", "async"]) {
    const { params, result } = schemas.price as { params: StandardSchema; result: StandardSchema };
    const shop = timing === "sync" ? schemas : { price: { params: later(params), result: later(result) } };
    const serve = (price: (params: never) => unknown) =>
      joinFarEnd({ service: implement({ price }).use(validate(shop)) });

    test(`${library}, ${timing}: incoming parameters are checked and what the schema makes of them is passed on`, async () => {
      const { peer, far } = serve(({ count }: { count: number }) => ({ total: count * 2, secret: true }));
      assert.deepEqual(await far.ask(request(1, "price", { item: "a" })), success(1, { total: 2 }));
      const refused = await far.ask(request(2, "price", { item: 5 }));
      assert.equal(codeOf(refused), -32602);
      const { message, data } = (refused as { error: { message: string; data: { issues: unknown[] } } }).error;
      assert.match(message, /^Invalid params of "price": .*string.* \(at \/item\)$/i);
      const [issue] = data.issues as { path: string; message: string }[];
      assert.equal(issue?.path, "/item");
      assert.ok(message.includes(issue.message));
      assert.equal(codeOf(await far.ask(request(3, "price"))), -32602);
      await peer.close();
    });

    test(`${library}, ${timing}: a bad result of one's own is -32603, and its cause stays here`, async () => {
      const { peer, far, reports } = serve(() => ({ total: "secret" }));
      assert.deepEqual(await far.ask(request(1, "price", { item: "a" })), failure(1, -32603, "Internal error"));
      const { error, origin } = reports[0]!;
      assert.ok(error instanceof ValidationError);
      assert.equal(origin, "handler");
      assert.equal(error.method, "price");
      assert.equal(error.subject, "result");
      assert.equal(error.issues[0]?.path, "/total");
      assert.match(error.message, /^Invalid result of "price": .* \(at \/total\)$/);
      await peer.close();
    });

    test(`${library}, ${timing}: outgoing parameters are checked before anything is sent`, async () => {
      const { peer, far } = joinFarEnd();
      peer.use(validate(shop));
      await assert.rejects(peer.request("price", { item: 5 }), (error) => {
        assert.ok(error instanceof ValidationError);
        assert.equal(error.subject, "params");
        assert.equal(error.issues[0]?.path, "/item");
        return true;
      });
      await far.nothing();
      await peer.close();
    });

    test(`${library}, ${timing}: outgoing parameters are sent as they are, the result is parsed on arrival`, async () => {
      const { peer, far } = joinFarEnd();
      peer.use(validate(shop));
      const price = peer.request("price", { item: "a" });
      assert.deepEqual(await far.request(), request(1, "price", { item: "a" }));
      far.send(success(1, { total: 3, more: "than asked for" }));
      assert.deepEqual(await price, { total: 3 });
      const wrong = peer.request("price", { item: "a" });
      await far.next();
      far.send(success(2, { total: "3" }));
      await assert.rejects(wrong, (error) => error instanceof ValidationError && error.subject === "result");
      await peer.close();
    });
  }

const dates = {
  /** Taken and given as text, used as a Date. */
  nextDay: {
    params: z.object({ day: z.iso.date().transform((text) => new Date(text)) }),
    result: z.coerce.date(),
  },
  sum: { params: z.tuple([z.number(), z.number().default(1)]), result: z.number() },
  clear: { params: z.object({ all: z.boolean() }).optional(), result: z.undefined() },
  ping: {},
} satisfies Schemas;
type Dates = ContractOf<typeof dates>;

const calendar = () =>
  implement<Dates>({
    nextDay: ({ day }) => new Date(day.getTime() + 86_400_000),
    sum: ([a, b]) => a + b,
    clear: () => {},
    ping: () => "pong",
  }).use(validate(dates));

test("both sides from one set of schemas: callers and handlers see each their own types", async () => {
  const [near, far] = memoryPair();
  const server = calendar().connect(far);
  const client = createPeer<Dates>(near).use(validate(dates));
  const next: Date = await client.request("nextDay", { day: "2026-02-28" });
  assert.equal(next.toISOString(), "2026-03-01T00:00:00.000Z");
  const sum: number = await client.request("sum", [1]);
  assert.equal(sum, 2);
  assert.equal(await client.request("clear"), undefined);
  assert.equal(await client.request("ping"), "pong");
  await client.close();
  await server.close();
});

/** Never called: it has to compile, and not to where it says so. */
export function types(client: Peer<Dates>): void {
  void client.request("nextDay", { day: "2026-02-28" });
  // @ts-expect-error the caller gives what the schema takes
  void client.request("nextDay", { day: new Date() });
  // @ts-expect-error parameters are asked for
  void client.request("nextDay");
  // @ts-expect-error there is no such method
  void client.request("yesterday");
  // @ts-expect-error a method without a schema has no parameters
  void client.request("ping", {});
  // @ts-expect-error the handler gives what the result's schema takes
  implement<Pick<Dates, "sum">>({ sum: () => "3" });
  // @ts-expect-error the handler gets what the schema makes
  implement<Pick<Dates, "nextDay">>({ nextDay: ({ day }: { day: string }) => day });
}

test("by-position parameters are told by their index", async () => {
  const { peer, far } = joinFarEnd({ service: calendar() });
  const refused = await far.ask(request(1, "sum", [1, "2"]));
  assert.match(JSON.stringify(refused), /"path":"\/1"/);
  await peer.close();
});

test("a method whose result is nothing is answered with null, and null is nothing to the caller", async () => {
  const { peer, far } = joinFarEnd({ service: calendar() });
  assert.deepEqual(await far.ask(request(1, "clear", { all: true })), success(1, null));
  await peer.close();

  const caller = joinFarEnd();
  caller.peer.use(validate({ find: { result: z.number().optional() }, none: { result: z.null() } }));
  for (const [method, expected] of [
    ["find", undefined],
    ["none", null],
  ] as const) {
    const found = caller.peer.request(method);
    caller.far.send(success((await caller.far.request()).id, null));
    assert.equal(await found, expected);
  }
  await caller.peer.close();
});

test("methods without schemas are let through, those of Object.prototype too", async () => {
  const { client, server, outcomes } = join(implement({ free: (params: unknown) => params }).use(validate(dates)));
  client.use(validate(dates));
  assert.deepEqual(await client.request("free", { any: "thing" }), { any: "thing" });
  for (const method of ["constructor", "__proto__", "toString"])
    await assert.rejects(client.request(method), { code: -32601 });
  assert.equal(outcomes.length, 1);
  await client.close();
  await server.close();
});

const issuesOf = (answer: unknown) => (answer as { error: { data: { issues: { path: string }[] } } }).error.data.issues;

test("a path is a JSON Pointer, and only so many issues are told", async () => {
  const schemas = {
    odd: { params: z.record(z.string(), z.number()) },
    many: { params: z.array(z.number()) },
  } satisfies Schemas;
  const { peer, far } = joinFarEnd({ service: implement({ odd: () => 1, many: () => 1 }).use(validate(schemas)) });
  assert.equal(issuesOf(await far.ask(request(1, "odd", { "a/b~c": "" })))[0]?.path, "/a~1b~0c");
  const many = await far.ask(request(2, "many", Array.from({ length: 10_000 }, String)));
  assert.equal(issuesOf(many).length, 20);
  assert.ok(JSON.stringify(many).length < 5000);
  await peer.close();
});

test("a value that is wrong as a whole has no path in the message", async () => {
  const { peer, far } = joinFarEnd({ service: calendar() });
  const { message } = ((await far.ask(request(1, "nextDay"))) as { error: { message: string } }).error;
  assert.match(message, /^Invalid params of "nextDay": [^()]+$/);
  await peer.close();
});

test("a notification with bad parameters is reported and not handled", async () => {
  const handled: unknown[] = [];
  const service = implement({ sum: (params: unknown) => handled.push(params) }).use(validate(dates));
  const { peer, far, reports } = joinFarEnd({ service });
  far.send(notification("sum", ["1"]));
  await settled();
  assert.deepEqual(handled, []);
  assert.match(String(reports[0]?.error), /Invalid params of "sum"/);
  await far.nothing();
  await peer.close();
});

test("a schema that throws is a fault of this side", async () => {
  const broken: StandardSchema = {
    "~standard": {
      version: 1,
      vendor: "broken",
      validate() {
        throw new Error("secret");
      },
    },
  };
  const { peer, far } = joinFarEnd({
    service: implement({ odd: () => 1 }).use(validate({ odd: { params: broken } })),
  });
  assert.deepEqual(await far.ask(request(1, "odd", {})), failure(1, -32603, "Internal error"));
  await peer.close();
});

test("a handler that answers at once is not made to wait", async () => {
  const { client, server, outcomes } = join(calendar());
  await client.request("sum", [1, 2]);
  assert.deepEqual(outcomes, [3]);
  await client.close();
  await server.close();
});
