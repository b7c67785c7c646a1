import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { implement } from "@x/jsonrpc";
import { limit } from "@x/jsonrpc/middleware";
import { codeOf, join as joinFarEnd, notification, request, settled, sleep, success } from "../far-end.ts";
import { join } from "./joined.ts";

interface Work {
  wait(): unknown;
  quick(): unknown;
  fail(): unknown;
}

/** `wait` ends when `end` is called. */
function worker() {
  const open: (() => void)[] = [];
  const service = implement<Work>({
    wait: () => new Promise((resolve) => open.push(() => resolve("done"))),
    quick: () => "quick",
    fail: async () => {
      throw new Error("broken");
    },
  });
  return { service, end: () => open.shift()?.() };
}

const errorOf = (response: unknown) => (response as { error: { message: string; data: unknown } }).error;

test("no more calls at the same time than `concurrency`", async () => {
  const { service, end } = worker();
  const { peer, far } = joinFarEnd({ service: service.use(limit({ concurrency: 2 })) });
  far.send(request(1, "wait"));
  far.send(request(2, "wait"));
  const refused = await far.ask(request(3, "quick"));
  assert.equal(codeOf(refused), -32000);
  assert.equal(errorOf(refused).message, "Too many calls: at most 2 at a time");
  assert.deepEqual(errorOf(refused).data, { concurrency: 2 });
  end();
  assert.deepEqual(await far.next(), success(1, "done"));
  assert.deepEqual(await far.ask(request(4, "quick")), success(4, "quick"));
  await peer.close();
});

test("a call that fails makes room like one that succeeds", async () => {
  const { service } = worker();
  const { peer, far } = joinFarEnd({ service: service.use(limit({ concurrency: 1 })) });
  for (const id of [1, 2, 3]) assert.equal(codeOf(await far.ask(request(id, "fail"))), -32603);
  for (const id of [4, 5, 6]) assert.equal(codeOf(await far.ask(request(id, "unknown"))), -32601);
  assert.deepEqual(await far.ask(request(7, "quick")), success(7, "quick"));
  await peer.close();
});

test("no more calls within `per` ms than `rate`, and when there is room again", async () => {
  const { service } = worker();
  const { peer, far } = joinFarEnd({ service: service.use(limit({ rate: 2, per: 100 })) });
  for (const id of [1, 2]) assert.deepEqual(await far.ask(request(id, "quick")), success(id, "quick"));
  const { message, data } = errorOf(await far.ask(request(3, "quick")));
  assert.equal(message, "Too many calls: at most 2 in 100 ms");
  const { retryAfter, ...rest } = data as { retryAfter: number };
  assert.deepEqual(rest, { rate: 2, per: 100 });
  assert.ok(retryAfter > 0 && retryAfter <= 50, String(retryAfter));
  await sleep(retryAfter + 1);
  assert.deepEqual(await far.ask(request(4, "quick")), success(4, "quick"));
  await peer.close();
});

test("each connection has its own count", async () => {
  const { service } = worker();
  service.use(limit({ concurrency: 1 }));
  const one = joinFarEnd({ service });
  const two = joinFarEnd({ service });
  one.far.send(request(1, "wait"));
  assert.equal(codeOf(await one.far.ask(request(2, "quick"))), -32000);
  assert.deepEqual(await two.far.ask(request(1, "quick")), success(1, "quick"));
  await one.peer.close();
  await two.peer.close();
});

test("single exchanges, which have no connection, are counted together", async () => {
  const { service, end } = worker();
  service.use(limit({ concurrency: 1 }));
  const first = service.handle(JSON.stringify(request(1, "wait")));
  assert.match((await service.handle(JSON.stringify(request(1, "quick")))) ?? "", /-32000/);
  end();
  assert.equal(await first, JSON.stringify(success(1, "done")));
});

test("a key counts otherwise: by caller, say", async () => {
  const { service } = worker();
  service.use(limit({ rate: 1, per: 60_000, key: ({ info }) => info["caller"] }));
  const ask = (caller: unknown) => service.handle(JSON.stringify(request(1, "quick")), { caller });
  const object = {};
  for (const caller of ["a", "b", undefined, object, Symbol.iterator]) {
    assert.match((await ask(caller)) ?? "", /quick/);
    assert.match((await ask(caller)) ?? "", /-32000/);
  }
});

test("idle keys are let go", async () => {
  const { service } = worker();
  service.use(limit({ rate: 1, per: 5, key: ({ info }) => info["caller"] }));
  const ask = (caller: number) => service.handle(JSON.stringify(request(1, "quick")), { caller });
  for (let i = 0; i < 2000; i++) await ask(i);
  const before = heapUsed();
  for (let i = 2000; i < 60_000; i++) await ask(i);
  assert.ok(heapUsed() - before < 1_500_000);
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

test("a notification over the limit is dropped and reported", async () => {
  const { service } = worker();
  const { peer, far, reports } = joinFarEnd({ service: service.use(limit({ concurrency: 1 })) });
  far.send(notification("wait"));
  far.send(notification("wait"));
  await settled();
  assert.match(String(reports[0]?.error), /Too many calls/);
  await far.nothing();
  await peer.close();
});

test("a handler that answers at once is not made to wait", async () => {
  const { client, server, outcomes } = join(worker().service.use(limit({ concurrency: 1, rate: 10 })));
  await client.request("quick");
  assert.deepEqual(outcomes, ["quick"]);
  await client.close();
  await server.close();
});
