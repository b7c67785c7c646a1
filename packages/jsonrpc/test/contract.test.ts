// What the compiler must accept and refuse. `tsc -b` checks this file; an @ts-expect-error that finds no error is one.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Arguments,
  type Context,
  type Environment,
  type Handler,
  type Handlers,
  type Middleware,
  type ParamsOf,
  type Peer,
  type ResultOf,
  type Service,
  createPeer,
  implement,
  memoryPair,
} from "@x/jsonrpc";
import { limit, log } from "@x/jsonrpc/middleware";
import { request } from "./far-end.ts";

interface Item {
  readonly itemId: string;
}

/** Methods of a server, in every form. */
interface Shop {
  queryStock(params: Item): number;
  queryPrice(params: Item): Promise<number>;
  subtract(params: [minuend: number, subtrahend: number]): number;
  list(params?: { readonly cursor?: string }): readonly Item[];
  ping(): "pong";
  stop(): void;
}

/** Methods of its client, which the server calls. */
type Till = {
  confirm(params: { readonly text: string }): boolean;
  log(params: readonly [level: "info" | "error", text: string]): void;
};

/* oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- compares how the types are declared */
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(value?: T): T => value as T;

const handlers: Handlers<Shop> = {
  queryStock: ({ itemId }) => itemId.length,
  queryPrice: async ({ itemId }) => itemId.length / 2,
  subtract: ([minuend, subtrahend]) => minuend - subtrahend,
  list: (params) => (params?.cursor === undefined ? [{ itemId: "first" }] : []),
  ping: () => "pong",
  stop: () => {},
};

const quick: Handler<Item, number> = ({ itemId }) => itemId.length;

interface Tenancy extends Environment {
  readonly info: { readonly user: string };
  readonly state: { tenant?: string };
}

const byTenant: Middleware<Context<Tenancy>> = (call, next) => {
  call.state.tenant = call.info.user;
  return next();
};

test("types of params and results", () => {
  is<Equal<ParamsOf<Shop, "queryStock">, Item>>();
  is<Equal<ParamsOf<Shop, "subtract">, [minuend: number, subtrahend: number]>>();
  is<Equal<ParamsOf<Shop, "ping">, undefined>>();
  is<Equal<ParamsOf<Shop, "list">, { readonly cursor?: string } | undefined>>();
  is<Equal<ResultOf<Shop, "queryStock">, number>>();
  is<Equal<ResultOf<Shop, "queryPrice">, number>>();
  is<Equal<ResultOf<Shop, "ping">, "pong">>();
  is<Equal<ResultOf<Till, "log">, void>>();
  is<Equal<Arguments<Shop, "queryStock", string>, [params: Item, options?: string]>>();
  is<Equal<Arguments<Shop, "ping", string>, [params?: undefined, options?: string]>>();
});

test("a caller is held to the contract, and it works", async () => {
  const [a, b] = memoryPair();
  implement<Shop>(handlers).connect(a);
  const shop = createPeer<Shop>(b);
  const stock: number = await shop.request("queryStock", { itemId: "SKU001" });
  const pong: "pong" = await shop.request("ping");
  assert.deepEqual([stock, pong], [6, "pong"]);
  assert.equal(await shop.request("subtract", [3, 1]), 2);
  assert.equal(await shop.request("queryPrice", { itemId: "SKU001" }, { timeout: 1000 }), 3);
  assert.equal((await shop.request("list")).length, 1);
  assert.equal((await shop.request("list", { cursor: "c" }, { timeout: 1000 })).length, 0);
  assert.equal(await shop.request("ping", undefined, { timeout: 1000 }), "pong");
  const [one, two] = await shop.batch((batch) => [batch.request("queryStock", { itemId: "1" }), batch.request("ping")]);
  is<Equal<typeof one, number>>();
  is<Equal<typeof two, "pong">>();
  await shop.close();
});

// Never called: what is in here must not compile.
export async function refused(shop: Peer<Shop>): Promise<void> {
  // @ts-expect-error no such method
  await shop.request("queryStok", { itemId: "1" });
  // @ts-expect-error params are missing
  await shop.request("queryStock");
  // @ts-expect-error params of another type
  await shop.request("queryStock", { itemId: 1 });
  // @ts-expect-error a member too many
  await shop.request("queryStock", { itemId: "1", colour: "red" });
  // @ts-expect-error by name where the contract says by position
  await shop.request("subtract", { minuend: 1, subtrahend: 2 });
  // @ts-expect-error a value is missing
  await shop.request("subtract", [1]);
  // @ts-expect-error params where there are none
  await shop.request("ping", { itemId: "1" });
  // @ts-expect-error no such option
  await shop.request("ping", undefined, { timeOut: 5 });
  // @ts-expect-error another result
  const text: string = await shop.request("queryStock", { itemId: "1" });
  // @ts-expect-error params of another type
  await shop.notify("queryStock", { itemId: 1 });
  await shop.batch((batch) => [
    // @ts-expect-error params of another type
    batch.request("queryStock", { itemId: 1 }),
  ]);
  void text;
}

export const refusedHandlers: readonly Handlers<Shop>[] = [
  // @ts-expect-error a method is missing
  { ...handlers, ping: undefined },
  // @ts-expect-error another result
  { ...handlers, queryStock: () => "many" },
  // @ts-expect-error another result, later
  { ...handlers, queryPrice: async () => "much" },
  // @ts-expect-error other params
  { ...handlers, queryStock: ({ id }: { readonly id: number }) => id },
  // @ts-expect-error not the literal
  { ...handlers, ping: () => "pang" },
];

test("peers can be symmetric: each end has its own contract", async () => {
  const [a, b] = memoryPair();
  const server: Peer<Till> = implement<Shop>({
    ...handlers,
    stop: async (_, context) => {
      // The context is untyped towards the other side, the peer is not.
      is<Equal<typeof context, Context>>();
      const sure: boolean = await server.request("confirm", { text: "Stop?" });
      await server.notify("log", ["info", String(sure)]);
    },
  }).connect<Till>(a);
  const logged: string[] = [];
  const till: Handlers<Till> = {
    confirm: ({ text }) => text === "Stop?",
    log: ([level, text]) => void logged.push(`${level} ${text}`),
  };
  const client = createPeer<Shop>(b, { service: implement<Till>(till) });
  await client.request("stop");
  assert.deepEqual(logged, ["info true"]);
  await client.close();
});

export async function refusedSymmetric(server: Peer<Till>): Promise<void> {
  // @ts-expect-error the other end's method
  await server.request("ping");
  // @ts-expect-error not one of the levels
  await server.notify("log", ["debug", "x"]);
}

test("without a contract everything may be called, and results are unknown", async () => {
  const [a, b] = memoryPair();
  implement<Shop>(handlers).connect(a);
  const peer = createPeer(b);
  const result = await peer.request("queryStock", { itemId: "1" });
  is<Equal<typeof result, unknown>>();
  assert.equal(result, 1);
  await peer.notify("anything", [1]);
  await peer.close();
});

test("handlers without a contract name their own params", async () => {
  const service = implement({
    add: ([a, b]: [number, number]) => a + b,
    greet: ({ name }: { readonly name: string }) => `hello ${name}`,
    now: () => 1,
  });
  assert.match((await service.handle('{"jsonrpc":"2.0","id":1,"method":"add","params":[1,2]}')) ?? "", /3/);
});

test("a method that promises its result may also be handled at once, and the other way round", async () => {
  const service = implement<Shop>({ ...handlers, queryStock: async () => 1, queryPrice: quick });
  assert.match((await service.handle(JSON.stringify(request(1, "queryPrice", { itemId: "ab" })))) ?? "", /"result":2/);
});

test("info and state are typed where the service says what they are", () => {
  const service: Service = implement<Shop, Tenancy>({
    ...handlers,
    stop: (_, { info, state }) => {
      is<Equal<typeof info.user, string>>();
      is<Equal<typeof state.tenant, string | undefined>>();
      // @ts-expect-error not in info
      void info.headers;
    },
  }).use(byTenant, limit({ concurrency: 1 }), log(console), (call, next) => {
    is<Equal<typeof call.info.user, string>>();
    is<Equal<typeof call.state.tenant, string | undefined>>();
    return next();
  });
  // @ts-expect-error another service's info
  implement<Shop>(handlers).use(byTenant);
  assert.ok(service);
});

test("what a handler asks of the other side is typed where the service says what that answers", async () => {
  interface Env extends Environment {
    readonly remote: Till;
  }
  const [a, b] = memoryPair();
  implement<Pick<Shop, "stop">, Env>({
    stop: async (_, context) => {
      const sure = await context.request("confirm", { text: "Stop?" });
      is<Equal<typeof sure, boolean>>();
      await context.notify("log", ["info", String(sure)]);
      // @ts-expect-error not a method of the other side
      context.notify("logs", ["info", "gone"]).catch(() => {});
      // @ts-expect-error not what it takes
      context.notify("log", ["warning", "wrong"]).catch(() => {});
    },
  }).connect(a);
  const logged: unknown[] = [];
  const till = createPeer<Shop>(b, {
    service: implement<Till>({ confirm: () => true, log: (params) => void logged.push(params) }),
  });
  await till.request("stop");
  assert.deepEqual(logged[0], ["info", "true"]);
  await till.close();
});
