import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { AbortError, createPeer, implement, memoryPair } from "@x/jsonrpc";
import { join, settled, success } from "./far-end.ts";

const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

test("an aborted signal rejects the call with an AbortError that holds the reason", async () => {
  const { peer, far } = join();
  const abort = new AbortController();
  const call = peer.request("a", undefined, { signal: abort.signal });
  const { id } = await far.request();
  const why = new Error("enough");
  abort.abort(why);
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof AbortError);
    assert.equal(error.message, '"a" was aborted');
    assert.equal(error.cause, why);
    return true;
  });
  assert.equal(listeners(abort.signal), 0);
  far.send(success(id, "late"));
  await settled();
});

test("without a cancel profile nothing is sent for it", async () => {
  const { peer, far } = join();
  const abort = new AbortController();
  const call = peer.request("a", undefined, { signal: abort.signal });
  await far.next();
  abort.abort();
  await assert.rejects(call, AbortError);
  await far.nothing();
});

test("a signal that was aborted before: nothing is sent", async () => {
  const { peer, far } = join();
  const call = peer.request("a", undefined, { signal: AbortSignal.abort("gone") });
  await assert.rejects(call, (error) => error instanceof AbortError && error.cause === "gone");
  await far.nothing();
});

test("an abort after the answer changes nothing", async () => {
  const { peer, far } = join();
  const abort = new AbortController();
  const call = peer.request("a", undefined, { signal: abort.signal });
  far.send(success((await far.request()).id, 1));
  assert.equal(await call, 1);
  abort.abort();
  await far.nothing();
});

test("the signal goes to the transport with the call", async () => {
  const signals: unknown[] = [];
  const peer = createPeer({
    open: () => new Promise(() => {}),
    send: (_message, options) => void signals.push(options?.signal),
    close: () => {},
  });
  const { signal } = new AbortController();
  void peer.request("a", undefined, { signal }).catch(() => {});
  assert.deepEqual(signals, [signal]);
  await peer.close();
});

test("every way a call can end takes its listener away", async () => {
  const { peer, far } = join();
  const { signal } = new AbortController();
  const ended = [
    peer.request("answered", undefined, { signal }),
    peer.request("timeout", undefined, { signal, timeout: 5 }),
    peer.request("unserialisable", [1n], { signal }),
  ];
  far.send(success((await far.request()).id, 1));
  await Promise.allSettled(ended);
  const left = peer.request("left", undefined, { signal });
  assert.equal(listeners(signal), 1);
  await peer.close();
  await assert.rejects(left);
  assert.equal(listeners(signal), 0);
});

test("H05: a hundred thousand calls on one shared signal leave no listener, and no warning", async () => {
  const [a, b] = memoryPair();
  const server = implement({ echo: ([n]: [number]) => n }).connect(a);
  const peer = createPeer(b);
  const warnings: unknown[] = [];
  const warn = (warning: unknown): unknown => warnings.push(warning);
  process.on("warning", warn);
  const { signal } = new AbortController();
  for (let n = 0; n < 100_000; n += 2000)
    await Promise.all(Array.from({ length: 2000 }, (_, i) => peer.request("echo", [n + i], { signal })));
  assert.equal(listeners(signal), 0);
  await settled();
  process.off("warning", warn);
  assert.deepEqual(warnings, []);
  await peer.close();
  await server.closed;
});

test("a signal that many connections share has one listener, and ends the calls of all", async () => {
  const abort = new AbortController();
  const joins = Array.from({ length: 20 }, () => join());
  const calls = joins.map(({ peer }) => peer.request("a", undefined, { signal: abort.signal }));
  assert.equal(listeners(abort.signal), 1);
  abort.abort();
  for (const call of calls) await assert.rejects(call, AbortError);
  assert.equal(listeners(abort.signal), 0);
});

test("a call given up while the others of its signal are, and one made then, are not lost", async () => {
  const { peer } = join();
  const abort = new AbortController();
  const first = peer.request("first", undefined, { signal: abort.signal });
  const made: Promise<unknown>[] = [];
  abort.signal.addEventListener("abort", () =>
    made.push(peer.request("made then", undefined, { signal: abort.signal })),
  );
  abort.abort();
  await assert.rejects(first, AbortError);
  await assert.rejects(made[0] as Promise<unknown>, /"made then" was aborted before it was sent/);
});
