import assert from "node:assert/strict";
import { test } from "node:test";
import { ClosedError, type Notification, type Transport, memoryPair } from "@x/jsonrpc";
import { type Fault, type FaultOptions, faulty } from "@x/jsonrpc/testing";
import { settled, sleep } from "../far-end.ts";

const note = (n: number): Notification => ({ jsonrpc: "2.0", method: "note", params: [n] });
const COUNT = 200;

interface Run {
  /** The numbers that arrived on the far side, in the order in which they did. */
  readonly arrived: readonly number[];
  readonly faults: readonly Fault[];
  readonly near: Transport;
  readonly far: Transport;
  readonly ended: Promise<string>;
}

/** Sends two hundred numbers through the faults and waits until what is held back has arrived. */
async function run(options: FaultOptions): Promise<Run> {
  const [a, far] = memoryPair();
  const faults: Fault[] = [];
  const near = faulty(a, { ...options, onFault: (fault) => faults.push(fault) });
  const arrived: number[] = [];
  void far.open((message) => arrived.push(((message as Notification).params as [number])[0]));
  const ended = near
    .open(() => {})
    .then(
      () => "in order",
      (error: unknown) => String(error),
    );
  for (let n = 0; n < COUNT; n++) {
    try {
      void near.send(note(n));
    } catch (error) {
      if (!(error instanceof ClosedError)) throw error;
      break;
    }
  }
  await sleep((options.maxDelay ?? 10) + 20);
  await settled();
  return { arrived, faults, near, far, ended };
}

const all = Array.from({ length: COUNT }, (_, n) => n);
const kinds = ({ faults }: Run): string[] => [...new Set(faults.map(({ kind }) => kind))];
const numberOf = ({ message }: Fault): number => ((message as Notification).params as [number])[0];

test("without chances nothing happens", async () => {
  const { arrived, faults } = await run({ seed: 1 });
  assert.deepEqual(arrived, all);
  assert.deepEqual(faults, []);
});

test("drop loses those that it names, and only those", async () => {
  const dropping = await run({ seed: 1, drop: 0.1 });
  const lost = dropping.faults.map(numberOf);
  assert.ok(lost.length > 5 && lost.length < 50);
  assert.deepEqual(
    dropping.arrived,
    all.filter((n) => !lost.includes(n)),
  );
  assert.deepEqual(kinds(dropping), ["drop"]);
});

test("duplicate sends twice", async () => {
  const doubling = await run({ seed: 1, duplicate: 0.1 });
  const twice = doubling.faults.map(numberOf);
  assert.deepEqual(
    doubling.arrived,
    all.flatMap((n) => (twice.includes(n) ? [n, n] : [n])),
  );
  assert.ok(twice.length > 5);
});

test("delay keeps the order", async () => {
  const delaying = await run({ seed: 1, delay: 0.1, maxDelay: 5 });
  assert.deepEqual(delaying.arrived, all);
  assert.deepEqual(kinds(delaying), ["delay"]);
});

test("reorder lets others pass, and loses none", async () => {
  const reordering = await run({ seed: 1, reorder: 0.1, maxDelay: 5 });
  assert.notDeepEqual(reordering.arrived, all);
  assert.deepEqual(
    reordering.arrived.toSorted((a, b) => a - b),
    all,
  );
  const late = reordering.faults.map(numberOf);
  assert.deepEqual(
    reordering.arrived.filter((n) => !late.includes(n)),
    all.filter((n) => !late.includes(n)),
  );
});

test("close breaks the connection: open() rejects, send() throws, the other side ends", async () => {
  const { arrived, faults, near, ended } = await run({ seed: 1, close: 0.02 });
  assert.equal(await ended, "ClosedError: The connection was broken by a fault");
  assert.deepEqual(
    faults.map(({ kind }) => kind),
    ["close"],
  );
  assert.equal(arrived.length, numberOf(faults[0] as Fault));
  assert.throws(() => near.send(note(0)), ClosedError);
  await near.close();
});

test("the same seed makes the same faults, another seed others", async () => {
  const options = { drop: 0.1, duplicate: 0.1, delay: 0.1, reorder: 0.1, maxDelay: 3 };
  const faultsOf = async (seed: number): Promise<string[]> =>
    (await run({ seed, ...options })).faults.map((fault) => `${fault.kind} ${numberOf(fault)}`);
  assert.deepEqual(await faultsOf(7), await faultsOf(7));
  assert.notDeepEqual(await faultsOf(7), await faultsOf(8));
});

test("what arrives has faults too", async () => {
  const [a, b] = memoryPair();
  const faults: Fault[] = [];
  const arrived: unknown[] = [];
  void faulty(a, { seed: 1, drop: 0.5, onFault: (fault) => faults.push(fault) }).open((each) => arrived.push(each));
  for (let n = 0; n < 20; n++) void b.send(note(n));
  await settled();
  assert.equal(arrived.length + faults.length, 20);
  assert.ok(arrived.length > 0 && faults.every(({ direction }) => direction === "in"));
});

test("close sends what is held back", async () => {
  const [a, b] = memoryPair();
  const arrived: unknown[] = [];
  const ended = b.open((message) => arrived.push(message));
  const near = faulty(a, { seed: 1, delay: 1, maxDelay: 60_000 });
  const own = near.open(() => {});
  for (let n = 0; n < 5; n++) void near.send(note(n));
  assert.deepEqual(arrived, []);
  await near.close();
  await Promise.all([ended, own]);
  assert.deepEqual(arrived, [0, 1, 2, 3, 4].map(note));
});
