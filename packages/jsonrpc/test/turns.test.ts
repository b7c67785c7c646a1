import assert from "node:assert/strict";
import { test } from "node:test";
import { type Context, SERVER_ERROR, implement } from "@x/jsonrpc";
import { HandMade } from "./hand-made.ts";
import { codeOf, join, notification, request, settled, success } from "./far-end.ts";

/** Handlers that run until they are told to end. */
class Gates {
  readonly started: string[] = [];
  readonly #open = new Map<string, () => void>();
  readonly service = implement({
    gate: ([name]: [string], context: Context) => {
      this.started.push(name);
      return new Promise<string>((resolve, reject) => {
        this.#open.set(name, () => resolve(name));
        context.signal.addEventListener("abort", () => reject(context.signal.reason as Error));
      });
    },
    sync: ([name]: [string]) => {
      this.started.push(name);
      return name;
    },
  });

  open(name: string): void {
    this.#open.get(name)?.();
  }
}

test("no more than `concurrency` calls run at a time, the others start in order as places become free", async () => {
  const gates = new Gates();
  const { far } = join({ service: gates.service, concurrency: 2 });
  for (const name of ["a", "b", "c", "d"]) far.send(request(name, "gate", [name]));
  await settled();
  assert.deepEqual(gates.started, ["a", "b"]);
  gates.open("b");
  assert.deepEqual(await far.next(), success("b", "b"));
  await settled();
  assert.deepEqual(gates.started, ["a", "b", "c"]);
  gates.open("a");
  gates.open("c");
  await settled();
  gates.open("d");
  assert.deepEqual(await far.rest(), [success("a", "a"), success("c", "c"), success("d", "d")]);
});

test("concurrency 1: answers come in the order of the requests, and nothing overtakes, notifications neither", async () => {
  const order: string[] = [];
  const service = implement({
    async slow() {
      order.push("slow begins");
      await settled();
      order.push("slow ends");
      return "slow";
    },
    quick: () => void order.push("quick"),
  });
  const { far } = join({ service, concurrency: 1 });
  far.send(request(1, "slow"));
  far.send(notification("quick"));
  far.send(request(2, "quick"));
  far.send(request(3, "slow"));
  assert.deepEqual(
    [await far.next(), await far.next(), await far.next()],
    [success(1, "slow"), success(2, null), success(3, "slow")],
  );
  assert.deepEqual(order, ["slow begins", "slow ends", "quick", "quick", "slow begins", "slow ends"]);
});

test("calls answered at once take turns too: none runs while an earlier one waits", async () => {
  const gates = new Gates();
  const { far } = join({ service: gates.service, concurrency: 1 });
  far.send(request(1, "gate", ["gate"]));
  far.send(request(2, "sync", ["sync"]));
  await settled();
  assert.deepEqual(gates.started, ["gate"]);
  gates.open("gate");
  assert.deepEqual([await far.next(), await far.next()], [success(1, "gate"), success(2, "sync")]);
});

test("when the queue is full a request is refused with -32000 and a notification is dropped and reported", async () => {
  const gates = new Gates();
  const { far, reports } = join({ service: gates.service, concurrency: 1, queue: 2 });
  for (const id of [1, 2, 3]) far.send(request(id, "gate", [`${id}`]));
  assert.equal(codeOf(await far.ask(request(4, "gate", ["4"]))), SERVER_ERROR);
  far.send(notification("sync", ["dropped"]));
  await far.nothing();
  assert.match(String(reports[0]?.error), /"sync" was dropped/);
  gates.open("1");
  await far.next();
  far.send(request(4, "gate", ["4"]));
  for (const name of ["2", "3", "4"]) {
    await settled();
    gates.open(name);
  }
  assert.equal((await far.rest()).length, 3);
  assert.deepEqual(gates.started, ["1", "2", "3", "4"]);
});

test("an id that waits in the queue is in flight", async () => {
  const gates = new Gates();
  const { far, peer } = join({ service: gates.service, concurrency: 1 });
  far.send(request(1, "gate", ["1"]));
  far.send(request(2, "gate", ["2"]));
  assert.equal(codeOf(await far.ask(request(2, "sync", ["2"]))), -32600);
  await peer.close();
});

test("by default a thousand run, ten thousand wait and the next is refused", async () => {
  const gates = new Gates();
  const { far, peer } = join({ service: gates.service });
  for (let id = 0; id < 11_001; id++) far.send(request(id, "gate", [`${id}`]));
  const refused = (await far.next()) as { id: number };
  assert.deepEqual([refused.id, codeOf(refused)], [11_000, SERVER_ERROR]);
  assert.equal(gates.started.length, 1000);
  await far.nothing();
  await peer.close();
});

test("ten thousand queued calls that are answered at once don't exhaust the stack", async () => {
  const gates = new Gates();
  const { far } = join({ service: gates.service, concurrency: 1 });
  far.send(request("first", "gate", ["first"]));
  for (let id = 0; id < 10_000; id++) far.send(request(id, "sync", [`${id}`]));
  await settled();
  gates.open("first");
  assert.equal((await far.rest()).length, 10_001);
});

test("an answer that the transport has not taken yet counts as a call that runs", async () => {
  const taken: (() => void)[] = [];
  const transport = new HandMade(() => new Promise((resolve) => taken.push(resolve)));
  const gates = new Gates();
  gates.service.connect(transport, { concurrency: 2 });
  for (const name of ["a", "b", "c", "d"]) transport.receive(request(name, "sync", [name]));
  await settled();
  assert.deepEqual(gates.started, ["a", "b"]);
  transport.receive(request("a", "sync", ["a has been answered, so its id is free"]));
  taken.shift()?.();
  await settled();
  assert.deepEqual(gates.started, ["a", "b", "c"]);
  while (taken.length > 0) {
    taken.shift()?.();
    await settled();
  }
  assert.equal(transport.sent.length, 5);
});

test("a handler that sets off another call in the same turn can't push it in front of itself", async () => {
  const order: string[] = [];
  const transport = new HandMade();
  const service = implement({
    outer() {
      order.push("outer begins");
      transport.receive(notification("inner"));
      order.push("outer ends");
    },
    inner: () => void order.push("inner"),
  });
  service.connect(transport, { concurrency: 1 });
  transport.receive(notification("outer"));
  assert.deepEqual(order, ["outer begins", "outer ends", "inner"]);
});
