import assert from "node:assert/strict";
import { test } from "node:test";
import { INVALID_REQUEST, METHOD_NOT_FOUND, RpcError, base, implement } from "@x/jsonrpc";
import { codeOf, failure, join, notification, request, settled, success } from "./far-end.ts";

const gates = new Map<string, () => void>();
const heard: string[] = [];
const service = implement(
  {
    add: ([a, b]: [number, number]) => a + b,
    gate: ([name]: [string]) => new Promise((resolve) => gates.set(name, () => resolve(name))),
    hear: ([name]: [string]) => void heard.push(name),
    hearLater: async ([name]: [string]) => {
      await settled();
      heard.push(name);
    },
    big: () => 10n,
    taken: () => {
      throw new RpcError(1001, "taken");
    },
  },
  { onError: () => {} },
);

test("a batch is answered by one array, by id, whatever finishes first", async () => {
  const { far, peer } = join({ service });
  far.send([request(1, "gate", ["a"]), request(2, "add", [1, 2]), request("x", "gate", ["b"])]);
  await settled();
  gates.get("b")?.();
  await far.nothing();
  gates.get("a")?.();
  assert.deepEqual(await far.next(), [success(2, 3), success("x", "b"), success(1, "a")]);
  await peer.close();
});

test("members run concurrently", async () => {
  const { far, peer } = join({ service });
  far.send([request(1, "gate", ["c"]), request(2, "gate", ["d"])]);
  await settled();
  assert.ok(gates.has("c") && gates.has("d"));
  await peer.close();
});

test("members run one after another where concurrency is 1", async () => {
  const { far, peer } = join({ service, concurrency: 1 });
  far.send([request(1, "gate", ["e"]), request(2, "gate", ["f"]), request(3, "add", [1, 1])]);
  await settled();
  assert.ok(gates.has("e") && !gates.has("f"));
  gates.get("e")?.();
  await settled();
  gates.get("f")?.();
  assert.deepEqual(await far.next(), [success(1, "e"), success(2, "f"), success(3, 2)]);
  await peer.close();
});

test("a batch of one stays an array", async () => {
  const { far } = join({ service });
  assert.deepEqual(await far.ask([request(7, "add", [2, 2])]), [success(7, 4)]);
});

test("an empty batch is one -32600 with the id null", async () => {
  const { far } = join({ service });
  const answer = await far.ask([]);
  assert.ok(!Array.isArray(answer));
  assert.deepEqual([codeOf(answer), (answer as { id: unknown }).id], [INVALID_REQUEST, null]);
});

test("invalid members are answered one by one, the others all the same", async () => {
  const { far } = join({ service });
  const answer = (await far.ask([
    1,
    request(1, "add", [1, 2]),
    { jsonrpc: "2.0", id: 5, method: 6 },
    null,
  ])) as object[];
  assert.deepEqual(
    answer.map((each) => [(each as { id: unknown }).id, codeOf(each)]),
    [
      [null, INVALID_REQUEST],
      [1, undefined],
      [5, INVALID_REQUEST],
      [null, INVALID_REQUEST],
    ],
  );
});

test("only notifications: no answer at all", async () => {
  const { far } = join({ service });
  far.send([notification("hear", ["n1"]), notification("hear", ["n2"]), notification("unknown")]);
  await far.nothing();
  assert.deepEqual(heard.splice(0), ["n1", "n2"]);
});

test("the answer comes after all of the batch is handled, notifications too (section 6)", async () => {
  const { far } = join({ service });
  assert.deepEqual(await far.ask([notification("hearLater", ["late"]), request(1, "add", [1, 1])]), [success(1, 2)]);
  assert.deepEqual(heard.splice(0), ["late"]);
});

test("errors and results stand side by side", async () => {
  const { far } = join({ service });
  assert.deepEqual(await far.ask([request(1, "taken"), request(2, "nowhere"), request(3, "add", [1, 2])]), [
    failure(1, 1001, "taken"),
    failure(2, METHOD_NOT_FOUND, 'Method not found: "nowhere"'),
    success(3, 3),
  ]);
});

test("a member whose result can't be serialised becomes -32603, the others are answered", async () => {
  const { far, reports } = join({ service });
  assert.deepEqual(await far.ask([request(1, "add", [1, 2]), request(2, "big"), request(3, "add", [3, 4])]), [
    success(1, 3),
    failure(2, -32603, "Internal error"),
    success(3, 7),
  ]);
  assert.deepEqual(
    reports.map(({ origin }) => origin),
    ["handler"],
  );
});

test("the same id twice in one batch: the second is refused while the first is in flight", async () => {
  const { far } = join({ service });
  far.send([request(1, "gate", ["twice"]), request(1, "gate", ["again"])]);
  await settled();
  gates.get("twice")?.();
  const answer = (await far.next()) as object[];
  assert.deepEqual(answer.map(codeOf), [INVALID_REQUEST, undefined]);
  assert.ok(!gates.has("again"));
});

test("null ids don't meet each other", async () => {
  const { far } = join({ service });
  far.send([request(null, "gate", ["null1"]), request(null, "gate", ["null2"])]);
  await settled();
  gates.get("null1")?.();
  gates.get("null2")?.();
  assert.deepEqual(await far.next(), [success(null, "null1"), success(null, "null2")]);
});

test("more members than maxBatch are refused as a whole, and nothing runs", async () => {
  const { far } = join({ service, maxBatch: 2 });
  const answer = await far.ask([1, 2, 3].map((n) => notification("hear", [`over${n}`])));
  assert.match((answer as { error: { message: string } }).error.message, /a batch of 3 messages, at most 2 are taken/);
  assert.deepEqual(heard.splice(0), []);
  assert.deepEqual(await far.ask([request(1, "add", [1, 1])]), [success(1, 2)]);
});

test("by default 1,000 members are taken and 1,001 are not", async () => {
  const { far } = join({ service });
  const some = Array.from({ length: 1001 }, (_, id) => request(id, "add", [id, 1]));
  assert.equal(((await far.ask(some.slice(1))) as object[]).length, 1000);
  assert.equal(codeOf(await far.ask(some)), INVALID_REQUEST);
});

test("a profile without batches refuses them", async () => {
  const { far } = join({ service, profile: { ...base, batches: false } });
  assert.equal(codeOf(await far.ask([request(1, "add", [1, 2])])), INVALID_REQUEST);
  assert.deepEqual(await far.ask(request(1, "add", [1, 2])), success(1, 3));
});

test("a batch may mix calls with answers to calls of our own", async () => {
  const { far, peer } = join({ service });
  const mine = peer.request("far");
  const { id } = await far.request();
  assert.deepEqual(await far.ask([success(id, "yes"), request(id, "add", [1, 2])]), [success(id, 3)]);
  assert.equal(await mine, "yes");
});

test("members over the queue's limit are told so, the others run", async () => {
  const { far } = join({ service, concurrency: 1, queue: 1 });
  far.send([request(1, "gate", ["q1"]), request(2, "add", [1, 1]), request(3, "add", [1, 1])]);
  await settled();
  gates.get("q1")?.();
  const answer = (await far.next()) as { id: number }[];
  assert.deepEqual(
    answer.map(({ id }) => id).sort((a, b) => a - b),
    [1, 2, 3],
  );
  assert.equal(codeOf(answer.find(({ id }) => id === 3)), -32000);
});
