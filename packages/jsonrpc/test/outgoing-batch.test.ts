import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AbortError,
  ClosedError,
  InvalidResponseError,
  type Request,
  RpcError,
  TimeoutError,
  base,
  createPeer,
} from "@x/jsonrpc";
import { HandMade } from "./hand-made.ts";
import { failure, join, settled, success } from "./far-end.ts";

const idsOf = (batch: unknown): unknown[] => (batch as Request[]).map(({ id }) => id);

test("calls and notifications travel as one message, in order", async () => {
  const { peer, far } = join();
  const results = peer.batch((b) => {
    const first = b.request("a", { x: 1 });
    b.notify("n", [1]);
    return [first, b.request("b")];
  });
  const batch = await far.next();
  const [id1, , id2] = idsOf(batch);
  assert.deepEqual(batch, [
    { jsonrpc: "2.0", id: id1, method: "a", params: { x: 1 } },
    { jsonrpc: "2.0", method: "n", params: [1] },
    { jsonrpc: "2.0", id: id2, method: "b" },
  ]);
  far.send([success(id2, "B"), success(id1, "A")]);
  assert.deepEqual(await results, ["A", "B"]);
  await far.nothing();
});

test("a batch is sent in the turn in which it is made, in order with what else is sent", async () => {
  const { peer, far } = join();
  void peer.notify("before");
  const results = peer.batch((b) => [b.request("a")]);
  void peer.notify("after");
  const ended = assert.rejects(results, ClosedError);
  await peer.close();
  await ended;
  assert.deepEqual(
    (await far.rest()).map((each) => (Array.isArray(each) ? "batch" : (each as Request).method)),
    ["before", "batch", "after"],
  );
});

test("each member settles by its own id; the batch rejects with the first error", async () => {
  const { peer, far } = join();
  const members: Promise<unknown>[] = [];
  const all = peer.batch((b) => {
    members.push(b.request("a"), b.request("b"));
    return members;
  });
  const [id1, id2] = idsOf(await far.next());
  far.send([failure(id1, 7, "bad"), success(id2, 2)]);
  await assert.rejects(all, (error) => RpcError.is(error) && error.code === 7);
  await assert.rejects(members[0] as Promise<unknown>, /bad/);
  assert.equal(await members[1], 2);
});

test("a member that the answer leaves out rejects, and only that one", async () => {
  const { peer, far, reports } = join();
  let missing: Promise<unknown> | undefined;
  const there = peer.batch((b) => {
    missing = b.request("missing");
    return [b.request("there")];
  });
  const [, id] = idsOf(await far.next());
  far.send([success(id, "yes")]);
  assert.deepEqual(await there, ["yes"]);
  await assert.rejects(missing as Promise<unknown>, InvalidResponseError);
  assert.deepEqual(reports, []);
});

test("a foreign member is reported and harms nobody; its like by type is foreign too", async () => {
  const { peer, far, reports } = join();
  const result = peer.batch((b) => [b.request("a")]);
  const [id] = idsOf(await far.next());
  far.send([success(999, "?"), success(String(id), "?"), success(id, 1)]);
  assert.deepEqual(await result, [1]);
  assert.equal(reports.length, 2);
  assert.ok(reports.every(({ error, origin }) => error instanceof InvalidResponseError && origin === "message"));
});

test("an answer that is no response rejects its own member; the rest of the batch is settled with it", async () => {
  const { peer, far } = join();
  const members: Promise<unknown>[] = [];
  void peer
    .batch((b) => {
      members.push(b.request("both"), b.request("left out"));
      return members;
    })
    .catch(() => {});
  const [id] = idsOf(await far.next());
  far.send([{ jsonrpc: "2.0", id, result: 1, error: { code: 1, message: "x" } }]);
  await assert.rejects(members[0] as Promise<unknown>, /expected one of "method", "result" and "error"/);
  await assert.rejects(members[1] as Promise<unknown>, /leaves this request out/);
});

test("answered one by one instead of in an array, each member settles", async () => {
  const { peer, far } = join();
  const result = peer.batch((b) => [b.request("a"), b.request("b")]);
  const [id1, id2] = idsOf(await far.next());
  far.send(success(id1, 1));
  far.send(success(id2, 2));
  assert.deepEqual(await result, [1, 2]);
});

test("a single error object for the whole batch rejects every member", async () => {
  const { peer, far, reports } = join();
  const members: Promise<unknown>[] = [];
  const all = peer.batch((b) => {
    members.push(b.request("a"), b.request("b"));
    return members;
  });
  await far.next();
  far.send(failure(null, -32600, "no batches here"));
  await assert.rejects(all, /no batches here/);
  for (const member of members) await assert.rejects(member, (error) => RpcError.is(error) && error.code === -32600);
  assert.deepEqual(reports, []);
});

test("so it does when the error has no id member, and while other calls are in flight", async () => {
  const { peer, far } = join();
  const single = peer.request("single");
  const { id } = await far.request();
  const all = peer.batch((b) => [b.request("a")]);
  await far.next();
  far.send({ jsonrpc: "2.0", error: { code: -32700, message: "Parse error" } });
  await assert.rejects(all, /Parse error/);
  far.send(success(id, "fine"));
  assert.equal(await single, "fine");
});

test("an error without an id is only reported where it may mean something else", async () => {
  const { peer, far, reports } = join();
  const single = peer.request("single");
  const { id } = await far.request();
  const first = peer.batch((b) => [b.request("a")]);
  const [id1] = idsOf(await far.next());
  far.send(failure(null, 1234, "an error of the application, for whatever"));
  await settled();
  const second = peer.batch((b) => [b.request("b")]);
  const [id2] = idsOf(await far.next());
  far.send(failure(null, -32600, "one of two batches"));
  await settled();
  assert.equal(reports.length, 2);
  far.send(success(id, 0));
  far.send([success(id1, 1)]);
  far.send([success(id2, 2)]);
  assert.deepEqual(await Promise.all([single, first, second]), [0, [1], [2]]);
});

test("batches that ended otherwise don't count: the next one is still recognised", async () => {
  const { peer, far } = join();
  const late = peer.batch((b) => [b.request("a", undefined, { timeout: 5 })]);
  await far.next();
  await assert.rejects(late, TimeoutError);
  const next = peer.batch((b) => [b.request("b")]);
  await far.next();
  far.send(failure(null, -32600, "refused"));
  await assert.rejects(next, /refused/);
});

test("a batch of requests from the other side never answers a batch of ours with the same ids", async () => {
  const { peer, far } = join();
  const mine = peer.batch((b) => [b.request("a"), b.request("b")]);
  const [id1, id2] = idsOf(await far.next());
  far.send([
    { jsonrpc: "2.0", id: id1, method: "x" },
    { jsonrpc: "2.0", id: id2, method: 5 },
  ]);
  await far.next();
  far.send([success(id1, 1), success(id2, 2)]);
  assert.deepEqual(await mine, [1, 2]);
});

test("an answer longer than maxBatch is taken: it was asked for", async () => {
  const { peer, far } = join({ maxBatch: 2 });
  const result = peer.batch((b) => [b.request("a"), b.request("b"), b.request("c")]);
  const ids = idsOf(await far.next());
  far.send(ids.map((id) => success(id, id)));
  assert.deepEqual(await result, ids);
});

test("a member that can't be serialised rejects its own call; the others are sent", async () => {
  const { peer, far, reports } = join();
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  let bad: Promise<unknown> | undefined;
  const good = peer.batch((b) => {
    bad = b.request("bad", { cyclic });
    b.notify("bad too", [10n]);
    return [b.request("good")];
  });
  const [id] = idsOf(await far.next());
  far.send([success(id, "fine")]);
  assert.deepEqual(await good, ["fine"]);
  await assert.rejects(bad as Promise<unknown>, TypeError);
  assert.deepEqual(
    reports.map(({ origin }) => origin),
    ["transport"],
  );
});

test("where no member can be serialised nothing is sent", async () => {
  const { peer, far } = join();
  await assert.rejects(
    peer.batch((b) => [b.request("bad", [10n])]),
    TypeError,
  );
  await far.nothing();
});

test("only notifications: sent as a batch, and nothing is waited for", async () => {
  const { peer, far } = join();
  assert.deepEqual(
    await peer.batch((b) => {
      b.notify("a");
      b.notify("b");
      return [];
    }),
    [],
  );
  assert.equal(((await far.next()) as unknown[]).length, 2);
});

test("an empty batch sends nothing", async () => {
  const { peer, far } = join();
  assert.deepEqual(await peer.batch(() => []), []);
  await far.nothing();
});

test("a builder that throws sends nothing and leaves nothing behind", async () => {
  const { peer, far } = join({ timeout: 0 });
  let member: Promise<unknown> | undefined;
  await assert.rejects(
    peer.batch((b) => {
      member = b.request("a");
      throw new Error("changed my mind");
    }),
    /changed my mind/,
  );
  await assert.rejects(member as Promise<unknown>, /changed my mind/);
  await far.nothing();
});

test("members that nobody looks at don't end the process", async () => {
  const { peer } = join();
  const all = peer.batch((b) => {
    void b.request("ignored");
    return [];
  });
  assert.deepEqual(await all, []);
  await peer.close();
  await settled();
});

test("timeouts and signals are each member's own", async () => {
  const { peer, far } = join();
  const abort = new AbortController();
  const members: Promise<unknown>[] = [];
  void peer
    .batch((b) => {
      members.push(
        b.request("slow", undefined, { timeout: 5 }),
        b.request("aborted", undefined, { signal: abort.signal }),
        b.request("answered"),
      );
      return members;
    })
    .catch(() => {});
  const [, , id] = idsOf(await far.next());
  abort.abort();
  await assert.rejects(members[0] as Promise<unknown>, TimeoutError);
  await assert.rejects(members[1] as Promise<unknown>, AbortError);
  far.send([success(id, 1)]);
  assert.equal(await members[2], 1);
});

test("the end of the connection rejects every member", async () => {
  const { peer, far } = join();
  const all = peer.batch((b) => [b.request("a"), b.request("b")]);
  await far.next();
  await far.transport.close();
  await assert.rejects(all, ClosedError);
});

test("after close a batch rejects and its notifications are not sent", async () => {
  const transport = new HandMade();
  const peer = createPeer(transport);
  await peer.close();
  await assert.rejects(
    peer.batch((b) => {
      b.notify("n");
      return [b.request("a")];
    }),
    (error) => error instanceof ClosedError && !error.sent,
  );
  assert.deepEqual(transport.sent, []);
});

test("a profile without batches sends the members one by one", async () => {
  const { peer, far } = join({ profile: { ...base, batches: false } });
  const result = peer.batch((b) => {
    b.notify("n");
    return [b.request("a"), b.request("bad", [1n]).catch(() => "never sent"), b.request("b")];
  });
  assert.equal((await far.notification()).method, "n");
  for (const method of ["a", "b"]) {
    const { id, method: sent } = await far.request();
    assert.equal(sent, method);
    far.send(success(id, method));
  }
  assert.deepEqual(await result, ["a", "never sent", "b"]);
});

test("middleware runs around each member; one that waits first sends it on its own", async () => {
  const { peer, far } = join();
  const seen: string[] = [];
  peer.use(async (call, next) => {
    seen.push(call.method);
    if (call.method === "later") await settled();
    return await next();
  });
  const result = peer.batch((b) => [b.request("now"), b.request("later")]);
  const [id] = idsOf(await far.next());
  far.send([success(id, 1)]);
  const alone = await far.request();
  far.send(success(alone.id, 2));
  assert.deepEqual(await result, [1, 2]);
  assert.deepEqual(seen, ["now", "later"]);
});

test("a repetition of a member is not settled by the answer to the batch it was in", async () => {
  const { peer, far } = join();
  peer.use(async (_call, next) => {
    try {
      return await next();
    } catch {
      return await next();
    }
  });
  const members: Promise<unknown>[] = [];
  void peer
    .batch((b) => {
      members.push(b.request("again", undefined, { timeout: 20 }), b.request("other"));
      return members;
    })
    .catch(() => {});
  const [id1, id2] = idsOf(await far.next());
  const again = await far.request();
  assert.equal(again.id, id1);
  far.send([success(id2, "other")]);
  assert.equal(await members[1], "other");
  far.send(success(id1, "again"));
  assert.equal(await members[0], "again");
});
