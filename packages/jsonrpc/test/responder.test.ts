import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ClosedError,
  type Context,
  type Peer,
  type Profile,
  Responder,
  type ResponderOptions,
  type Transport,
  createPeer,
  implement,
  memoryPair,
} from "../src/index.ts";

type Handler = (params: never, context: Context) => unknown;

/** A responder, and the peer at its other end. */
function join(
  handlers: Record<string, Handler>,
  far: Record<string, Handler> = {},
  options: Partial<ResponderOptions> = {},
): { responder: Responder; peer: Peer; transport: Transport } {
  const [one, other] = memoryPair();
  const responder = new Responder(one, { ...options, service: implement(handlers) });
  const peer = createPeer(other, { service: implement(far), profile: options.profile });
  return { responder, peer, transport: other };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const profile: Profile = {
  batches: true,
  cancel: {
    method: "cancel",
    params: (id) => ({ id }),
    id: (params) => (params as { id: number }).id,
  },
  progress: {
    method: "progress",
    attach: (params, token) => ({ ...(params as object), token }),
    token: (params) => (params as { token: number }).token,
  },
};

test("it answers as a peer does, alone and in batches", async () => {
  const { peer } = join({ echo: (params) => params, none: () => undefined });
  assert.deepEqual(await peer.request("echo", [1]), [1]);
  assert.deepEqual(await peer.batch((batch) => [batch.request("echo", [2]), batch.request("none")]), [[2], null]);
  await assert.rejects(peer.request("other"), { code: -32601 });
  await peer.close();
});

test("a handler's question is asked, and its answer comes back, with progress and an error where there is one", async () => {
  const heard: unknown[] = [];
  const { peer } = join(
    {
      ask: (params, context) => context.request("question", params, { onProgress: (report) => heard.push(report) }),
    },
    {
      question: async ({ token, fails }: { token: number; fails?: boolean }, context) => {
        await context.notify("progress", { token, done: 1 });
        if (fails) throw new TypeError("a fault of its own");
        return "answer";
      },
    },
    { profile },
  );
  assert.equal(await peer.request("ask", {}), "answer");
  assert.deepEqual(heard, [{ token: 1, done: 1 }]);
  await assert.rejects(peer.request("ask", { fails: true }), { code: -32603 });
  await peer.close();
});

test("questions of one turn go out in their order, notifications at once, in order once something was asked", async () => {
  const order: unknown[] = [];
  const note: Handler = (params) => void order.push(params);
  const { responder, peer } = join({}, { note, question: (params) => (order.push(params), params) });
  const asked = [1, 2, 3].map((n) => responder.request("question", [n]));
  await responder.notify("note", ["at once"]);
  assert.deepEqual(await Promise.all(asked), [[1], [2], [3]]);
  assert.deepEqual(order, [["at once"], [1], [2], [3]]);
  order.length = 0;
  const again = responder.request("question", [4]);
  await responder.notify("note", ["after it"]);
  await again;
  assert.deepEqual(order, [[4], ["after it"]], "what it takes to ask is there now");
  await peer.close();
});

test("a question that is given up is cancelled on the other side", async () => {
  let aborted!: (reason: unknown) => void;
  const given = new Promise((resolve) => (aborted = resolve));
  const { responder, peer } = join(
    {},
    { question: (_params, { signal }) => new Promise(() => signal.addEventListener("abort", aborted)) },
    { profile },
  );
  await assert.rejects(responder.request("question", {}, { timeout: 20 }), { name: "TimeoutError" });
  await given;
  await peer.close();
});

test("handlers know the connection by one object, whether anything was asked or not", async () => {
  const { peer } = join(
    { where: (_params, { connection }) => void seen.add(connection), ask: (_params, context) => context.request("x") },
    { x: () => 1 },
  );
  const seen = new Set<unknown>();
  await peer.request("where");
  await peer.request("ask");
  await peer.request("where");
  assert.equal(seen.size, 1);
  assert.equal(typeof [...seen][0], "object");
  await peer.close();
});

test("an answer that nobody has asked for is reported", async () => {
  const errors: Error[] = [];
  const { responder, transport } = join({}, {}, { onError: (error) => errors.push(error as Error) });
  for (const id of [1, 2]) void transport.send({ jsonrpc: "2.0", id, result: 1 });
  while (errors.length < 2) await turn();
  assert.match(errors[0]?.message ?? "", /The answer with the id 1 came late/);
  await responder.close();
});

test("its end rejects what was asked, aborts what runs, and says why", async () => {
  const aborted: unknown[] = [];
  const { responder, peer } = join(
    {
      wait: (_params, { signal }) =>
        new Promise(() => signal.addEventListener("abort", () => aborted.push(signal.reason))),
    },
    { question: () => new Promise(() => {}) },
  );
  peer.request("wait").catch(() => {});
  const asked = responder.request("question");
  asked.catch(() => {});
  await turn();
  await turn();
  const reason = new Error("done here");
  await responder.close(reason);
  assert.equal(await responder.closed, reason);
  await assert.rejects(asked, (error: unknown) => error instanceof ClosedError && error.cause === reason);
  assert.ok(aborted[0] instanceof ClosedError);
  await assert.rejects(responder.request("question"), ClosedError);
  await assert.rejects(responder.notify("note"), { name: "ClosedError", sent: false });
  await responder.close();
});

test("what was read before the other side ended is answered, and then it is over", async () => {
  let finish!: (value: string) => void;
  const { responder, peer } = join({ wait: () => new Promise((resolve) => (finish = resolve)) });
  const waiting = peer.request("wait");
  waiting.catch(() => {});
  await turn();
  await peer.close();
  finish("late");
  assert.equal(await responder.closed, undefined);
});

test("a handler that goes on after the end is aborted once `drain` is over", async () => {
  const { responder, peer } = join(
    {
      wait: (_params, { signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    },
    {},
    { drain: 10, onError: () => {} },
  );
  peer.request("wait").catch(() => {});
  await turn();
  await peer.close();
  assert.equal(await responder.closed, undefined);
});

test("a transport that breaks ends it with the reason", async () => {
  const reason = new Error("cable cut");
  const broken: Transport = { open: () => Promise.reject(reason), send: () => {}, close: () => {} };
  assert.equal(await new Responder(broken, { service: implement({}) }).closed, reason);
});

/** A responder whose service says itself what it waits for. */
function holding(): { say: (message: object) => void; end: () => void; seen: unknown[]; service: Holding } {
  const seen: unknown[] = [];
  let receive!: Parameters<Transport["open"]>[0];
  let end!: () => void;
  const transport: Transport = {
    open: (to) => ((receive = to), new Promise((resolve) => (end = resolve))),
    send: (message) => void seen.push(message),
    close: () => void seen.push("closed"),
  };
  const service: Holding = { hold: undefined, dispatch: ({ method }) => (seen.push(method), method) };
  void new Responder(transport, { service }).closed;
  return { say: (message) => receive(message), end: () => end(), seen, service };
}

interface Holding {
  hold: Promise<unknown> | undefined;
  dispatch: (context: Context) => unknown;
}

const note = (method: string): object => ({ jsonrpc: "2.0", method });

for (const [how, settled] of [
  ["resolved", () => Promise.resolve()],
  ["rejected", () => Promise.reject(new Error("it can't be loaded"))],
] as const)
  test(`what arrives while the service holds waits until that is ${how}, in order, and so does the end`, async () => {
    const { say, end, seen, service } = holding();
    say(note("first"));
    service.hold = turn().then(settled);
    service.hold.catch(() => {});
    say(note("second"));
    say(note("third"));
    end();
    await Promise.resolve();
    assert.deepEqual(seen, ["first"]);
    await turn();
    await turn();
    assert.deepEqual(seen, ["first", "second", "third", "closed"]);
  });

test("what arrives in the turn in which the service is ready comes after what has waited", async () => {
  const { say, seen, service } = holding();
  let ready!: () => void;
  service.hold = new Promise<void>((resolve) => (ready = resolve));
  service.dispatch = ({ method }) => {
    seen.push(method);
    if (method === "first") say(note("third"));
  };
  say(note("first"));
  say(note("second"));
  ready();
  service.hold = undefined;
  await turn();
  assert.deepEqual(seen, ["first", "second", "third"]);
  say(note("fourth"));
  assert.equal(seen.length, 4, "in the same turn again");
});
