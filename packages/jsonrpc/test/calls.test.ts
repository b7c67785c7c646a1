import assert from "node:assert/strict";
import { test } from "node:test";
import { type Id, InvalidResponseError, type Request, RpcError, createPeer } from "@x/jsonrpc";
import { HandMade } from "./hand-made.ts";
import { failure, join, settled, success } from "./far-end.ts";

test("ids are 1, 2, 3, … and apart from those of the other side", async () => {
  const { peer, far } = join();
  const calls = [peer.request("a"), peer.request("b")];
  assert.deepEqual([(await far.request()).id, (await far.request()).id], [1, 2]);
  assert.equal(((await far.ask({ jsonrpc: "2.0", id: 1, method: "theirs" })) as { id: unknown }).id, 1);
  far.send(success(2, "b"));
  far.send(success(1, "a"));
  assert.deepEqual(await Promise.all(calls), ["a", "b"]);
});

test('B02: the ids 0, "" and null are ids like any other', async () => {
  const ids: Id[] = [0, "", null];
  const { peer, far, reports } = join({ nextId: () => ids.shift() as Id });
  const calls = [peer.request("zero"), peer.request("empty"), peer.request("null")];
  for (const id of [0, "", null]) assert.equal((await far.request()).id, id);
  far.send(success(null, "null"));
  far.send(success("", "empty"));
  far.send(success(0, "zero"));
  assert.deepEqual(await Promise.all(calls), ["zero", "empty", "null"]);
  assert.deepEqual(reports, []);
});

test("a call can bring its own id; one in flight is refused before anything is sent", async () => {
  const { peer, far } = join();
  const call = peer.request("a", undefined, { id: "mine" });
  assert.equal((await far.request()).id, "mine");
  await assert.rejects(peer.request("b", undefined, { id: "mine" }), /"mine" is already in flight/);
  await far.nothing();
  far.send(success("mine", 1));
  assert.equal(await call, 1);
});

test("params are sent as they are, by name and by position, and left out when undefined", async () => {
  const { peer, far } = join();
  void peer.request("a", { x: 1 }).catch(() => {});
  void peer.request("b", [1, 2]).catch(() => {});
  void peer.request("c").catch(() => {});
  assert.deepEqual((await far.request()).params, { x: 1 });
  assert.deepEqual((await far.request()).params, [1, 2]);
  assert.ok(!("params" in (await far.request())));
  await peer.close();
});

test("a result is whatever JSON value came", async () => {
  const { peer, far } = join();
  for (const result of [0, "", false, null, [], { deep: [1] }]) {
    const call = peer.request("a");
    far.send(success((await far.request()).id, result));
    assert.deepEqual(await call, result);
  }
});

test("an error rejects with its code, message and data", async () => {
  const { peer, far } = join();
  const call = peer.request("a");
  const { id } = await far.request();
  far.send({ jsonrpc: "2.0", id, error: { code: 42, message: "why", data: { a: 1 } } });
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof RpcError);
    assert.deepEqual([error.code, error.message, error.data], [42, "why", { a: 1 }]);
    return true;
  });
});

test("an error with the request's id null is nobody's", async () => {
  const { peer, far, reports } = join();
  const call = peer.request("a");
  const { id } = await far.request();
  far.send(failure(null, -32700, "Parse error"));
  await settled();
  assert.ok(RpcError.is(reports[0]?.error));
  far.send(success(id, 1));
  assert.equal(await call, 1);
});

test("a late, unknown or second answer is reported and does no harm", async () => {
  const { peer, far, reports } = join();
  const call = peer.request("a");
  const { id } = await far.request();
  far.send(success(id, "first"));
  far.send(success(id, "second"));
  far.send(failure(id, 1));
  far.send(success("never asked", 1));
  far.send(success(String(id), "an id of another type"));
  assert.equal(await call, "first");
  await settled();
  assert.equal(reports.length, 4);
  for (const { error, origin } of reports) {
    assert.ok(error instanceof InvalidResponseError);
    assert.equal(origin, "message");
  }
  assert.match(String(reports[0]?.error), /The answer with the id 1 came late or unasked/);
});

test("B06: members that a response should not have are ignored", async () => {
  const { peer, far, reports } = join();
  const call = peer.request("a");
  const { id } = await far.request();
  far.send({ jsonrpc: "2.0", id, x: 1, result: { ok: true }, resultType: "complete", _meta: {} });
  assert.deepEqual(await call, { ok: true });
  const second = peer.request("b");
  far.send({ jsonrpc: "2.0", id: (await far.request()).id, error: { code: 1, message: "m", more: 2 }, extra: null });
  await assert.rejects(second, /m/);
  assert.deepEqual(reports, []);
});

const broken: Record<string, object> = {
  "both result and error": { jsonrpc: "2.0", result: 1, error: { code: 1, message: "x" } },
  "neither result nor error": { jsonrpc: "2.0" },
  "no jsonrpc": { result: 1 },
  "an error without a code": { jsonrpc: "2.0", error: { message: "x" } },
  "an error that is a text": { jsonrpc: "2.0", error: "x" },
};
for (const [what, response] of Object.entries(broken))
  test(`an answer with ${what} rejects the call it was meant for, and is not answered`, async () => {
    const { peer, far } = join();
    const call = peer.request("a");
    const { id } = await far.request();
    far.send({ ...response, id });
    await assert.rejects(call, (error) => error instanceof InvalidResponseError && error.id === id);
    await far.nothing();
  });

test("a broken request of the other side never ends a call of ours with the same id", async () => {
  const { peer, far } = join();
  const call = peer.request("a");
  const { id } = await far.request();
  await far.ask({ jsonrpc: "2.0", id, method: 5 });
  far.send(success(id, "fine"));
  assert.equal(await call, "fine");
});

test("params that can't be serialised reject at once, and the connection lives", async () => {
  const { peer, far } = join();
  await assert.rejects(peer.request("bad", { n: 1n }), TypeError);
  await far.nothing();
  const call = peer.request("good");
  far.send(success((await far.request()).id, 1));
  assert.equal(await call, 1);
});

test("middleware sees method, params, id and state, and may change params or answer itself", async () => {
  const { peer, far } = join();
  const seen: unknown[] = [];
  peer.use(
    async (call, next) => {
      call.state["trace"] = "t1";
      const result = await next();
      seen.push(call.method, call.id, result);
      return result;
    },
    (call, next) => {
      if (call.method === "local") return "mine";
      call.params = { ...(call.params as object), trace: call.state["trace"] };
      return next();
    },
  );
  const call = peer.request("a", { x: 1 });
  const { id, params } = await far.request();
  assert.deepEqual(params, { x: 1, trace: "t1" });
  far.send(success(id, "r"));
  assert.equal(await call, "r");
  assert.equal(await peer.request("local"), "mine");
  assert.deepEqual(seen, ["a", 1, "r", "local", undefined, "mine"]);
});

test("middleware that throws rejects the call", async () => {
  const { peer, far } = join();
  peer.use(() => {
    throw new Error("not today");
  });
  await assert.rejects(peer.request("a"), /not today/);
  await far.nothing();
});

test("a transport that throws, or rejects, fails the call it was given and no other", async () => {
  const transport = new HandMade((message) => {
    const { method } = message as Request;
    if (method === "throws") throw new Error("cable cut");
    return method === "rejects" ? Promise.reject(new Error("cable cut later")) : undefined;
  });
  const peer = createPeer(transport);
  const waiting = peer.request("waits");
  await assert.rejects(peer.request("throws"), /cable cut$/);
  await assert.rejects(peer.request("rejects"), /cable cut later/);
  transport.receive(success(1, "fine"));
  assert.equal(await waiting, "fine");
});
