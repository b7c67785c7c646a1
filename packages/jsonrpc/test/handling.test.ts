import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Context,
  type Environment,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  type Request,
  RpcError,
  base,
  createPeer,
  implement,
  memoryPair,
} from "@x/jsonrpc";
import { HandMade } from "./hand-made.ts";
import { codeOf, failure, join, notification, request, settled, success } from "./far-end.ts";

test("params reach the handler by name, by position or not at all", async () => {
  const service = implement({ give: (params: unknown) => params });
  const { far } = join({ service });
  assert.deepEqual(await far.ask(request(1, "give", { a: 1 })), success(1, { a: 1 }));
  assert.deepEqual(await far.ask(request(2, "give", [1, 2])), success(2, [1, 2]));
  assert.deepEqual(await far.ask(request(3, "give")), success(3, null));
});

test("a result of undefined is sent as null, for JSON has no other word for it", async () => {
  const service = implement({ sync: () => {}, later: async () => {} });
  const { far } = join({ service });
  assert.deepEqual(await far.ask(request(1, "sync")), success(1, null));
  assert.deepEqual(await far.ask(request(2, "later")), success(2, null));
});

test("an unknown method, however it is called, is -32601", async () => {
  const { far } = join({ service: implement({ known: () => 1 }) });
  for (const method of ["unknown", "__proto__", "constructor", "toString", "hasOwnProperty", "", "KNOWN"])
    assert.deepEqual(await far.ask(request(1, method)), failure(1, METHOD_NOT_FOUND, `Method not found: "${method}"`));
});

test("a peer without a service answers every request with -32601", async () => {
  const { far, reports } = join();
  assert.equal(codeOf(await far.ask(request(1, "anything"))), METHOD_NOT_FOUND);
  far.send(notification("anything"));
  await far.nothing();
  assert.deepEqual(reports, []);
});

test("B09: an unknown notification is ignored quietly", async () => {
  const { far, reports } = join({ service: implement({ known: () => 1 }) });
  far.send(notification("notifications/cancelled", { requestId: 999 }));
  far.send(notification("notifications/foo"));
  await far.nothing();
  assert.deepEqual(reports, []);
});

test("a fallback takes what has no handler, notifications too", async () => {
  const heard: string[] = [];
  const service = implement(
    { known: () => "mine" },
    {
      fallback: ({ method, params, id }) => {
        heard.push(method);
        if (method === "nowhere") throw new RpcError(METHOD_NOT_FOUND, "nor here");
        return { method, params, id };
      },
    },
  );
  const { far } = join({ service });
  assert.deepEqual(await far.ask(request(1, "known")), success(1, "mine"));
  assert.deepEqual(await far.ask(request(2, "other", [1])), success(2, { method: "other", params: [1], id: 2 }));
  assert.deepEqual(await far.ask(request(3, "nowhere")), failure(3, METHOD_NOT_FOUND, "nor here"));
  far.send(notification("event"));
  await far.nothing();
  assert.deepEqual(heard, ["other", "nowhere", "event"]);
});

test("the context tells of the call and the connection", async () => {
  const connections = new Set<unknown>();
  const service = implement({
    look: (_: unknown, { id, method, params, info, state, connection, signal }: Context) => {
      connections.add(connection);
      assert.equal(signal.aborted, false);
      return { id, method, params, info, state };
    },
  });
  const one = join({ service });
  assert.deepEqual(
    await one.far.ask(request("x", "look", [1])),
    success("x", { id: "x", method: "look", params: [1], info: {}, state: {} }),
  );
  await one.far.ask(request("y", "look"));
  await join({ service }).far.ask(request("x", "look"));
  assert.equal(connections.size, 2);
  assert.ok(![...connections].includes(undefined));
});

test("what the transport knows of a message is the context's info", async () => {
  interface Env extends Environment {
    readonly info: { readonly user: string };
    readonly state: { greeting?: string };
  }
  const transport = new HandMade();
  const service = implement<{ who(): string }, Env>({
    who: (_, { info, state }) => `${state.greeting} ${info.user}`,
  }).use((call, next) => {
    call.state["greeting"] = "hello";
    return next();
  });
  service.connect(transport);
  transport.receive(request(1, "who"), { user: "ann" });
  transport.receive([request(2, "who"), request(3, "who")], { user: "bob" });
  assert.deepEqual(transport.sent, [success(1, "hello ann"), [success(2, "hello bob"), success(3, "hello bob")]]);
});

test("state is each call's own", async () => {
  const service = implement({
    count: (_: unknown, { state }: Context) => (state["n"] = ((state["n"] as number | undefined) ?? 0) + 1),
  });
  const { far } = join({ service });
  assert.deepEqual(await far.ask(request(1, "count")), success(1, 1));
  assert.deepEqual(await far.ask(request(2, "count")), success(2, 1));
});

test("middleware runs outside in, around notifications too, and is the same for every connection", async () => {
  const steps: string[] = [];
  const step =
    (name: string) =>
    async (call: Context, next: () => unknown): Promise<unknown> => {
      steps.push(`${name} ${call.method}`);
      const result = await next();
      steps.push(`${name} done`);
      return result;
    };
  const service = implement({ a: () => void steps.push("handler") }).use(step("outer"), step("inner"));
  const { far } = join({ service });
  await far.ask(request(1, "a"));
  assert.deepEqual(steps.splice(0), ["outer a", "inner a", "handler", "inner done", "outer done"]);
  far.send(notification("a"));
  await settled();
  assert.equal(steps.length, 5);
});

test("middleware may answer itself, change params, change the result, or catch", async () => {
  const service = implement({
    double: ([n]: [number]) => n * 2,
    boom: () => {
      throw new Error("secret");
    },
  }).use(
    async (call, next) => {
      if (call.method === "cached") return "from the cache";
      try {
        return await next();
      } catch (error) {
        if (error instanceof RpcError) throw error;
        return `caught ${(error as Error).message}`;
      }
    },
    async (call, next) => {
      if (call.method === "double") call.params = [(call.params as [number])[0] + 1];
      return [await next()];
    },
  );
  const { far } = join({ service });
  assert.deepEqual(await far.ask(request(1, "cached")), success(1, "from the cache"));
  assert.deepEqual(await far.ask(request(2, "double", [4])), success(2, [10]));
  assert.deepEqual(await far.ask(request(3, "boom")), success(3, "caught secret"));
  assert.equal(codeOf(await far.ask(request(4, "unknown"))), METHOD_NOT_FOUND);
});

test("a handler can ask the other side and be asked while it waits", async () => {
  const [a, b] = memoryPair();
  const service = implement({
    factorial: async ([n]: [number], context: Context): Promise<number> =>
      n <= 1 ? 1 : n * ((await context.request("factorial", [n - 1])) as number),
  });
  const one = service.connect(a);
  const other = service.connect(b);
  assert.equal(await one.request("factorial", [10]), 3_628_800);
  assert.equal(await other.request("factorial", [5]), 120);
  await one.close();
});

test("what a handler sends carries the request it is sent for", async () => {
  const causes: unknown[] = [];
  const service = implement({
    ask: async (_: unknown, context: Context) => {
      await context.notify("note");
      return context.request("back", undefined, { timeout: 0 });
    },
  });
  const transport = new HandMade((message, options) => {
    causes.push(options?.cause);
    const { method, id } = message as Request;
    if (method === "back") transport.receive(success(id, 1));
  });
  service.connect(transport);
  transport.receive(request(0, "ask"));
  await settled();
  assert.deepEqual(causes, [0, 0, undefined]);
});

test("an id that is in flight is refused, the call in flight is not harmed; afterwards it is free", async () => {
  const running: ((result: string) => void)[] = [];
  const service = implement({ wait: () => new Promise<string>((resolve) => running.push(resolve)) });
  const { far } = join({ service });
  for (const id of [0, "", "x"]) {
    far.send(request(id, "wait"));
    const again = await far.ask(request(id, "wait"));
    assert.deepEqual(
      again,
      failure(id, INVALID_REQUEST, `Invalid Request: the id ${JSON.stringify(id)} is already in flight`),
    );
    running.shift()?.("done");
    assert.deepEqual(await far.next(), success(id, "done"));
  }
});

test('the id 1 and the id "1" are two ids', async () => {
  const { far } = join({ service: implement({ wait: () => settled() }) });
  far.send(request(1, "wait"));
  far.send(request("1", "wait"));
  assert.deepEqual(await far.next(), success(1, null));
  assert.deepEqual(await far.next(), success("1", null));
});

test("a profile may refuse requests that JSON-RPC allows", async () => {
  const { far } = join({
    service: implement({ a: () => 1 }),
    profile: { ...base, refuse: ({ id }) => (id === null ? "the id must not be null" : undefined) },
  });
  assert.deepEqual(
    await far.ask(request(null, "a")),
    failure(null, INVALID_REQUEST, "Invalid Request: the id must not be null"),
  );
  assert.deepEqual(await far.ask(request(1, "a")), success(1, 1));
});

test("one service, many connections at once: ids, answers and calls back don't mix", async () => {
  const service = implement({
    whoami: async (_: unknown, context: Context) => {
      await settled();
      return context.request("name");
    },
  });
  const names = Array.from({ length: 50 }, (_, n) => `client ${n}`);
  const answers = await Promise.all(
    names.map(async (name) => {
      const [a, b] = memoryPair();
      service.connect(a);
      const client = createPeer(b, { service: implement({ name: () => name }) });
      const answer = await client.request("whoami");
      await client.close();
      return answer;
    }),
  );
  assert.deepEqual(answers, names);
});
