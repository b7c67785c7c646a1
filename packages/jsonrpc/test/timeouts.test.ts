import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type CallOptions,
  type CancelProfile,
  type Profile,
  type Request,
  TimeoutError,
  base,
  createPeer,
} from "@x/jsonrpc";
import { HandMade } from "./hand-made.ts";
import { type FarEnd, join, notification, outcomes, sleep, success } from "./far-end.ts";

const withProgress: Profile = {
  ...base,
  progress: {
    method: "progress",
    attach: (params, token) => ({ ...(params as object), token }),
    token: (params) => (params as { token?: number }).token,
  },
};

/** Reports progress every 50 ms until the call is over or `times` is reached. */
async function reportProgress(far: FarEnd, over: () => boolean, times = Infinity): Promise<void> {
  const { id } = await far.request();
  for (let n = 0; n < times; n++) {
    await sleep(50);
    if (over()) return;
    far.send(notification("progress", { token: id, n }));
  }
}

/** Calls with progress every 50 ms and gives the error and the ms it took. */
async function progressing(options: CallOptions): Promise<{ error: unknown; took: number }> {
  const { peer, far } = join({ profile: withProgress });
  let over = false;
  const start = performance.now();
  const call = peer.request("work", {}, options);
  void reportProgress(far, () => over);
  const error = await call.catch((reason: unknown) => reason);
  over = true;
  const took = performance.now() - start;
  await peer.close();
  return { error, took };
}

describe("timeouts", { concurrency: true }, () => {
  test("a call without an answer rejects after its timeout, naming method and ms (H06)", async () => {
    const { peer } = join();
    await assert.rejects(peer.request("slow", undefined, { timeout: 20 }), (error) => {
      assert.ok(error instanceof TimeoutError);
      assert.deepEqual([error.method, error.timeout], ["slow", 20]);
      assert.equal(error.message, 'No answer to "slow" within 20 ms');
      return true;
    });
    await peer.close();
  });

  test("the peer's default holds for calls that name none", async () => {
    const { peer } = join({ timeout: 20 });
    await assert.rejects(peer.request("slow"), (error) => error instanceof TimeoutError && error.timeout === 20);
    await peer.close();
  });

  test("0 and Infinity wait for ever, for one call and as the peer's default", async () => {
    const { peer, far } = join({ timeout: 10 });
    const patient = join({ timeout: 0 });
    const calls = [
      peer.request("a", undefined, { timeout: 0 }),
      peer.request("b", undefined, { timeout: Infinity }),
      patient.peer.request("c"),
    ];
    const ended = outcomes(calls);
    await assert.rejects(peer.request("d"), TimeoutError);
    await sleep(100);
    assert.equal(ended.size, 0);
    for (const end of [far, far, patient.far]) end.send(success((await end.request()).id, 1));
    assert.deepEqual(await Promise.all(calls), [1, 1, 1]);
    await Promise.all([peer.close(), patient.peer.close()]);
  });

  test("a negative time, as of a deadline that has passed, ends the call at once", async () => {
    const { peer } = join();
    for (const options of [{ timeout: -5 }, { maxTotalTimeout: -5 }])
      await assert.rejects(
        peer.request("late", undefined, options),
        (error) => error instanceof TimeoutError && error.timeout === -5,
      );
    await peer.close();
  });

  test("a timeout longer than timers can be is not over at once", async () => {
    const { peer, far } = join();
    const call = peer.request("a", undefined, { timeout: 2 ** 40 });
    const ended = outcomes([call]);
    const { id } = await far.request();
    await sleep(50);
    assert.equal(ended.size, 0);
    far.send(success(id, 1));
    assert.equal(await call, 1);
    await peer.close();
  });

  test("many timeouts, each its own", async () => {
    const { peer } = join();
    const timeouts = [120, 30, 90, 60];
    const ended = await Promise.allSettled(timeouts.map((timeout) => peer.request("a", undefined, { timeout })));
    assert.deepEqual(
      ended.map((each) => each.status === "rejected" && (each.reason as TimeoutError).timeout),
      timeouts,
    );
    await peer.close();
  });

  test("an answer in time leaves the other calls' timeouts alone", async () => {
    const { peer, far } = join();
    const slow = peer.request("slow", undefined, { timeout: 60 });
    await far.next();
    const quick = peer.request("quick", undefined, { timeout: 30 });
    far.send(success((await far.request()).id, 1));
    assert.equal(await quick, 1);
    await assert.rejects(slow, (error) => error instanceof TimeoutError && error.timeout === 60);
    await peer.close();
  });

  test("progress starts the timeout anew where that is asked for", async () => {
    const { error, took } = await progressing({ timeout: 1000, maxTotalTimeout: 1500, resetTimeoutOnProgress: true });
    assert.ok(error instanceof TimeoutError && error.timeout === 1500, String(error));
    assert.ok(took >= 1450, `${took}`);
  });

  test("H03: maxTotalTimeout ends the call whatever progress comes", async () => {
    const { error, took } = await progressing({
      timeout: 1000,
      maxTotalTimeout: 1300,
      resetTimeoutOnProgress: true,
      onProgress: () => {},
    });
    assert.ok(error instanceof TimeoutError && error.timeout === 1300, String(error));
    assert.ok(took >= 1250, `${took}`);
  });

  test("H02: progress changes nothing where resetTimeoutOnProgress is false or left out", async () => {
    for (const resetTimeoutOnProgress of [false, undefined]) {
      const { error } = await progressing({ timeout: 300, resetTimeoutOnProgress, onProgress: () => {} });
      assert.ok(error instanceof TimeoutError && error.timeout === 300, String(error));
    }
  });

  test("after the last progress the timeout runs out", async () => {
    const { peer, far } = join({ profile: withProgress });
    const call = peer.request("work", {}, { timeout: 300, resetTimeoutOnProgress: true });
    void reportProgress(far, () => false, 4);
    await assert.rejects(call, (error) => error instanceof TimeoutError && error.timeout === 300);
    await peer.close();
  });

  test("maxTotalTimeout alone, without a timeout", async () => {
    const { peer } = join();
    await assert.rejects(
      peer.request("a", undefined, { timeout: 0, maxTotalTimeout: 30 }),
      (error) => error instanceof TimeoutError && error.timeout === 30,
    );
    await peer.close();
  });

  test("an answer after the timeout is reported", async () => {
    const { peer, far, reports } = join();
    const call = peer.request("a", undefined, { timeout: 10 });
    const { id } = await far.request();
    await assert.rejects(call, TimeoutError);
    far.send(success(id, "too late"));
    await far.nothing();
    assert.match(String(reports[0]?.error), /came late/);
    await peer.close();
  });

  test("a call made while another one times out has its own timeout", async () => {
    const { peer } = join();
    const second = peer
      .request("first", undefined, { timeout: 10 })
      .catch(() => peer.request("second", undefined, { timeout: 20 }));
    await assert.rejects(second, (error) => error instanceof TimeoutError && error.method === "second");
    await peer.close();
  });

  test("a call made from within a sweep is timed: the cancel notification's own send makes one", async () => {
    let inner: Promise<unknown> | undefined;
    const transport = new HandMade((message) => {
      if ((message as Request).method === "cancel") inner ??= peer.request("inner", undefined, { timeout: 20 });
    });
    const cancel: CancelProfile = { method: "cancel", params: (id) => ({ id }), id: () => undefined };
    const peer = createPeer(transport, { profile: { ...base, cancel } });
    await assert.rejects(peer.request("outer", undefined, { timeout: 10 }), TimeoutError);
    assert.ok(inner);
    await assert.rejects(inner, (error) => error instanceof TimeoutError && error.method === "inner");
    await peer.close();
  });
});
