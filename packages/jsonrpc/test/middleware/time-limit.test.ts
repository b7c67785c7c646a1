import assert from "node:assert/strict";
import { test } from "node:test";
import { type Context, implement } from "@x/jsonrpc";
import { timeLimit } from "@x/jsonrpc/middleware";
import { join as joinFarEnd, notification, request, settled, sleep, success } from "../far-end.ts";
import { join } from "./joined.ts";

const late = {
  jsonrpc: "2.0",
  id: 1,
  error: { code: -32000, message: '"slow" took longer than 10 ms', data: { timeLimit: 10 } },
};

test("a call that takes too long is answered with -32000, and its signal is aborted", async () => {
  let context: Context | undefined;
  const service = implement<{ slow(): unknown }>({
    slow: (_, call) => {
      context = call;
      return new Promise(() => {});
    },
  }).use(timeLimit(10));
  const { peer, far, reports } = joinFarEnd({ service });
  assert.deepEqual(await far.ask(request(1, "slow")), late);
  assert.equal(context?.signal.aborted, true);
  assert.match(String(context?.signal.reason), /took longer than 10 ms/);
  assert.deepEqual(reports, []);
  await peer.close();
});

test("what the handler does afterwards is nobody's concern", async () => {
  for (const end of [() => "late", () => assert.fail("late")]) {
    const service = implement<{ slow(): unknown }>({ slow: () => sleep(20).then(end) }).use(timeLimit(10));
    const { peer, far, reports } = joinFarEnd({ service });
    assert.deepEqual(await far.ask(request(1, "slow")), late);
    await sleep(20);
    await far.nothing();
    assert.deepEqual(reports, []);
    await peer.close();
  }
});

test("a call that ends in time leaves no timer behind", async () => {
  const service = implement<{ quick(): unknown; fails(): unknown }>({
    quick: async () => "done",
    fails: async () => assert.fail("broken"),
  }).use(timeLimit(60_000));
  const { peer, far, reports } = joinFarEnd({ service });
  const before = timers();
  assert.deepEqual(await far.ask(request(1, "quick")), success(1, "done"));
  await far.ask(request(2, "fails"));
  assert.match(String(reports[0]?.error), /broken/);
  assert.equal(timers(), before);
  await peer.close();
});

test("each call may have its own limit, or none", async () => {
  const service = implement<{ slow(): unknown; free(): unknown }>({
    slow: () => new Promise(() => {}),
    free: () => sleep(20).then(() => "done"),
  }).use(timeLimit(({ method }) => (method === "slow" ? 10 : undefined)));
  const { peer, far } = joinFarEnd({ service });
  far.send(request(1, "slow"));
  far.send(request(2, "free"));
  assert.deepEqual(await far.next(), late);
  assert.deepEqual(await far.next(), success(2, "done"));
  await peer.close();
});

test("a limit beyond the longest timer is none", async () => {
  for (const limit of [Infinity, 2 ** 40]) {
    const service = implement<{ slow(): unknown }>({ slow: () => sleep(20).then(() => "done") }).use(timeLimit(limit));
    const { peer, far } = joinFarEnd({ service });
    assert.deepEqual(await far.ask(request(1, "slow")), success(1, "done"));
    await peer.close();
  }
});

test("a notification that takes too long is aborted and reported", async () => {
  const service = implement<{ slow(): unknown }>({ slow: () => new Promise(() => {}) }).use(timeLimit(10));
  const { peer, far, reports } = joinFarEnd({ service });
  far.send(notification("slow"));
  await sleep(20);
  assert.match(String(reports[0]?.error), /took longer than 10 ms/);
  await far.nothing();
  await peer.close();
});

test("a handler that answers at once is not made to wait", async () => {
  const { client, server, outcomes } = join(implement({ ping: () => "pong" }).use(timeLimit(10)));
  await client.request("ping");
  assert.deepEqual(outcomes, ["pong"]);
  await client.close();
  await server.close();
  await settled();
});

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
