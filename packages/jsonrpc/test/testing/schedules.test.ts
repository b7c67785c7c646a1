// Ten thousand connections with random faults, each made by a number: `SEED=4711` runs that one alone.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import {
  type CallOptions,
  type Context,
  type Id,
  type Peer,
  type Profile,
  type Transport,
  base,
  createPeer,
  implement,
  memoryPair,
} from "@x/jsonrpc";
import { contentLength, newline } from "@x/jsonrpc/framing";
import { type Fault, faulty, framed } from "@x/jsonrpc/testing";
import { Garbage } from "../garbage.ts";
import { numbers } from "./numbers.ts";

// A hundred thousand errors are made on purpose; without their stacks it takes half the time.
Error.stackTraceLimit = 0;

const SCHEDULES = 10_000;
/** Connections that are open at the same time. */
const AT_ONCE = 250;

const profile: Profile = {
  ...base,
  cancel: {
    method: "cancel",
    params: (id) => [id],
    id: (params) => (params as unknown as [Id])[0],
    answer: { code: -32800, message: "Request cancelled" },
  },
  progress: {
    method: "progress",
    attach: (params, token) => ({ ...(params as object), token }),
    token: (params) => (params as { token?: Id } | undefined)?.token,
  },
};

const service = implement({
  echo: (params: unknown) => params,
  later: async (params: { token?: Id }, context: Context) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (params.token !== undefined) await context.notify("progress", { token: params.token }).catch(() => {});
    return params;
  },
  ask: (params: unknown, context: Context) => context.request("echo", params, { timeout: 10 }),
  wait: (_: unknown, { signal }: Context) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
  boom: () => {
    throw new Error("boom");
  },
  big: () => 1n,
});

const METHODS = ["echo", "later", "ask", "wait", "boom", "big", "unknown"] as const;

interface Tally {
  calls: number;
  settled: number;
  readonly faults: Map<Fault["kind"], number>;
  readonly outcomes: Map<string, number>;
}

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

const count = <K>(map: Map<K, number>, key: K): unknown => map.set(key, (map.get(key) ?? 0) + 1);

async function schedule(seed: number, shared: AbortSignal, tally: Tally, garbage: Garbage): Promise<void> {
  const { chance, below, pick } = numbers(seed);
  const spoil = (transport: Transport, side: number): Transport => {
    const bytes = chance(0.3) ? framed(transport, pick([newline, contentLength]), { seed: seed + side }) : transport;
    const often = pick([0, 0.02, 0.2]);
    return faulty(bytes, {
      seed: seed * 2 + side,
      drop: often,
      duplicate: often,
      delay: often,
      reorder: often,
      close: often / 10,
      maxDelay: 5,
      onFault: ({ kind }) => count(tally.faults, kind),
    });
  };
  const options = {
    service,
    profile,
    onError: () => {},
    drain: 3,
    concurrency: pick([1, 2, 1000]),
    queue: pick([1, 1000]),
    debouncedNotificationMethods: ["echo"],
  };
  const [a, b] = memoryPair();
  const peers = [a, b].map((transport, side) => createPeer(spoil(transport, side), options));
  const calls: Promise<unknown>[] = [];
  const made = (call: Promise<unknown>): void => {
    tally.calls++;
    calls.push(
      call.then(
        () => count(tally.outcomes, "answered"),
        (error: unknown) => count(tally.outcomes, (error as Error).name),
      ),
    );
  };

  for (let step = 0; step < 6; step++) {
    const peer = pick<Peer>(peers);
    const params = (): object => {
      const value = { seed, step };
      return seed % 50 === 0 ? garbage.watch(`params of ${seed}`, value) : value;
    };
    const abort = new AbortController();
    const callOptions = (): CallOptions => ({
      timeout: 5 + below(15),
      signal: chance(0.3) ? abort.signal : shared,
      resetTimeoutOnProgress: chance(0.3),
      maxTotalTimeout: 25,
      onProgress: chance(0.3) ? () => {} : undefined,
    });
    const kind = below(10);
    if (kind < 6) made(peer.request(pick(METHODS), params(), callOptions()));
    else if (kind < 8) {
      const batch = peer.batch((builder) => {
        builder.notify("echo", params());
        const members = [0, 1].map(() => builder.request(pick(METHODS), params(), callOptions()));
        for (const member of members) made(member);
        return members;
      });
      made(batch);
    } else void peer.notify(pick(METHODS), chance(0.5) ? params() : undefined);
    if (chance(0.2)) abort.abort();
    if (chance(0.3)) await new Promise((resolve) => setImmediate(resolve));
    if (chance(0.02)) void peer.close();
  }
  if (chance(0.5)) await Promise.all(calls);
  await Promise.all(peers.map((peer) => peer.close()));
  await Promise.all(calls);
  tally.settled += calls.length;
}

test("10,000 random fault schedules leave no call unsettled and no timer, listener or entry behind", async () => {
  const tally: Tally = { calls: 0, settled: 0, faults: new Map(), outcomes: new Map() };
  const garbage = new Garbage();
  const { signal } = new AbortController();
  const before = timers();
  const warnings: unknown[] = [];
  process.on("warning", (warning) => warnings.push(warning));
  const only = process.env["SEED"];
  const seeds = only === undefined ? Array.from({ length: SCHEDULES }, (_, seed) => seed) : [Number(only)];
  const running = new Set<number>();
  const work = async (): Promise<void> => {
    for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) {
      running.add(seed);
      await schedule(seed, signal, tally, garbage);
      running.delete(seed);
    }
  };
  const hung = setTimeout(() => assert.fail(`Still running: ${[...running].join(", ")}`), 100_000);
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  clearTimeout(hung);

  assert.equal(tally.settled, tally.calls);
  assert.equal(timers(), before);
  assert.equal(getEventListeners(signal, "abort").length, 0);
  assert.deepEqual(warnings, []);
  if (only !== undefined) return;
  await garbage.checkGone();
  // Every kind of fault and of ending did occur, so that the test tests something.
  for (const kind of ["drop", "duplicate", "delay", "reorder", "close"] as const)
    assert.ok((tally.faults.get(kind) ?? 0) > 500, `${kind}: ${tally.faults.get(kind)}`);
  for (const outcome of ["answered", "RpcError", "TimeoutError", "AbortError", "ClosedError"])
    assert.ok((tally.outcomes.get(outcome) ?? 0) > 50, `${outcome}: ${tally.outcomes.get(outcome)}`);
});
