import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { mock, test } from "node:test";
import {
  AbortError,
  ClosedError,
  RpcError,
  TimeoutError,
  type Profile,
  type Transport,
  base,
  createPeer,
  implement,
} from "@x/jsonrpc";
import { type RetryOptions, retry } from "@x/jsonrpc/middleware";
import { join as joinFarEnd, request, settled, sleep, success } from "../far-end.ts";
import { filtered, join } from "./joined.ts";

const soon = { delay: 1, jitter: 0 } satisfies RetryOptions;
const echo = () => implement<{ echo(params: [string]): string }>({ echo: ([text]) => text });
const idsOf = (sent: unknown[]): unknown[] => sent.map((message) => (message as { id: unknown }).id);

/** A transport that never gets anything away. */
function unreachable(sent: unknown[], error: () => Error): Transport {
  let end!: () => void;
  return {
    open: () => new Promise((resolve) => (end = resolve)),
    close: () => end(),
    send(message) {
      sent.push(message);
      throw error();
    },
  };
}

test("a lost request is sent again with the same id", async () => {
  const sent: unknown[] = [];
  const { client } = join(echo(), { timeout: 20 }, { wrap: filtered(sent, (nth) => nth > 2) });
  client.use(retry({ ...soon, methods: ["echo"] }));
  assert.equal(await client.request("echo", ["a"]), "a");
  assert.deepEqual(idsOf(sent), [1, 1, 1]);
  await client.close();
});

test("a profile may want a new id for each attempt", async () => {
  const sent: unknown[] = [];
  const profile: Profile = { ...base, freshIds: true };
  const { client } = join(echo(), { timeout: 20, profile }, { wrap: filtered(sent, (nth) => nth > 1) });
  client.use(retry({ ...soon, methods: (call) => call.method === "echo" }));
  assert.equal(await client.request("echo", ["a"]), "a");
  assert.deepEqual(idsOf(sent), [1, 2]);
  await client.close();
});

test("what may have run is repeated only for the methods that are listed", async () => {
  const sent: unknown[] = [];
  const { client } = join(echo(), { timeout: 10 }, { wrap: filtered(sent, () => false) });
  client.use(retry({ ...soon, methods: ["other"] }));
  await assert.rejects(client.request("echo", ["a"]), TimeoutError);
  assert.equal(sent.length, 1);
  await client.close();
});

test("what was not sent is repeated for every method", async () => {
  const sent: unknown[] = [];
  const client = createPeer(unreachable(sent, () => new ClosedError("no route", { sent: false })));
  client.use(retry({ ...soon, attempts: 3 }));
  await assert.rejects(client.request("book"), /no route/);
  assert.equal(sent.length, 3);
  await client.close();
});

test("other failures to send are not known to be harmless", async () => {
  const sent: unknown[] = [];
  const client = createPeer(unreachable(sent, () => new TypeError("no JSON")));
  client.use(retry({ ...soon, methods: ["book"] }));
  await assert.rejects(client.request("book"), /no JSON/);
  assert.equal(sent.length, 1);
  await client.close();
});

test("the last error is the caller's", async () => {
  const sent: unknown[] = [];
  const { client } = join(echo(), { timeout: 5 }, { wrap: filtered(sent, () => false) });
  client.use(retry({ ...soon, methods: ["echo"], attempts: 3 }));
  await assert.rejects(client.request("echo", ["a"]), TimeoutError);
  assert.equal(sent.length, 3);
  await client.close();
});

test("the waits are 1, 2, 4 s", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const sent: unknown[] = [];
    const client = createPeer(unreachable(sent, () => new ClosedError("no route", { sent: false })));
    client.use(retry({ jitter: 0 }));
    const outcome = assert.rejects(client.request("book"), ClosedError);
    for (const wait of [1000, 2000, 4000]) {
      await settled();
      const before = sent.length;
      mock.timers.tick(wait - 1);
      await settled();
      assert.equal(sent.length, before);
      mock.timers.tick(1);
      await settled();
      assert.equal(sent.length, before + 1);
    }
    await outcome;
    await client.close();
  } finally {
    mock.timers.reset();
  }
});

test("a wait is capped, and jitter only shortens it", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const sent: unknown[] = [];
    const client = createPeer(unreachable(sent, () => new ClosedError("no route", { sent: false })));
    client.use(retry({ attempts: 10, maxDelay: 3000, jitter: 1 }));
    const outcome = assert.rejects(client.request("book"), ClosedError);
    for (let i = 1; i < 10; i++) {
      await settled();
      assert.equal(sent.length, i);
      mock.timers.tick(3000);
    }
    await outcome;
    assert.equal(sent.length, 10);
    await client.close();
  } finally {
    mock.timers.reset();
  }
});

test("an answer ends it, an error too", async () => {
  let runs = 0;
  const service = implement<{ book(): never }>({
    book() {
      runs++;
      throw new RpcError(1001, "taken");
    },
  });
  const { client } = join(service);
  client.use(retry({ ...soon, methods: ["book"] }));
  await assert.rejects(client.request("book"), { code: 1001 });
  assert.equal(runs, 1);
  await client.close();
});

test("unless `when` says that the error is worth another attempt, after the time that it names", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let runs = 0;
    const service = implement<{ book(): string }>({
      book() {
        if (++runs === 1) throw new RpcError(-32000, "busy", { retryAfter: 5000 });
        return "booked";
      },
    });
    const { client } = join(service);
    client.use(retry({ methods: ["book"], when: (error) => RpcError.is(error) && error.code === -32000 }));
    const booked = client.request("book");
    await settled();
    mock.timers.tick(4999);
    await settled();
    assert.equal(runs, 1);
    mock.timers.tick(1);
    assert.equal(await booked, "booked");
    await client.close();
  } finally {
    mock.timers.reset();
  }
});

test("a wait beyond the longest timer does not end at once", async () => {
  let runs = 0;
  const service = implement<{ book(): string }>({
    book() {
      runs++;
      throw new RpcError(-32000, "busy", { retryAfter: 1e300 });
    },
  });
  const { client } = join(service);
  client.use(retry({ methods: ["book"], when: () => true, maxDelay: Infinity }));
  const outcome = assert.rejects(client.request("book"), ClosedError);
  await sleep(20);
  assert.equal(runs, 1);
  await client.close();
  await outcome;
});

test("the caller's signal ends the wait at once", async () => {
  const sent: unknown[] = [];
  const client = createPeer(unreachable(sent, () => new ClosedError("no route", { sent: false })));
  client.use(retry({ delay: 60_000 }));
  const control = new AbortController();
  const call = client.request("book", undefined, { signal: control.signal });
  await settled();
  control.abort("enough");
  await assert.rejects(call, (error) => error instanceof AbortError && error.cause === "enough");
  assert.equal(sent.length, 1);
  await client.close();
});

test("so does the end of the connection", async () => {
  const sent: unknown[] = [];
  const client = createPeer(unreachable(sent, () => new ClosedError("no route", { sent: false })));
  client.use(retry({ delay: 60_000 }));
  const call = client.request("book");
  await settled();
  await client.close(new Error("unplugged"));
  await assert.rejects(call, /"book" was not sent: unplugged/);
});

test("a call in flight when the connection ends is not repeated", async () => {
  const { client, server } = join(implement<{ never(): unknown }>({ never: () => new Promise(() => {}) }));
  client.use(retry({ delay: 60_000, methods: ["never"] }));
  const call = client.request("never");
  await settled();
  await client.close(new Error("unplugged"));
  await assert.rejects(call, /"never" was not answered: unplugged/);
  await server.close();
});

test("no attempt goes beyond maxTotalTimeout", async () => {
  const sent: unknown[] = [];
  const { client } = join(echo(), {}, { wrap: filtered(sent, () => false) });
  client.use(retry({ delay: 1000, methods: ["echo"] }));
  await assert.rejects(client.request("echo", ["a"], { timeout: 10, maxTotalTimeout: 500 }), TimeoutError);
  assert.equal(sent.length, 1);
  client.use(retry({ ...soon, methods: ["echo"] }));
  await assert.rejects(client.request("echo", ["a"], { timeout: 30, maxTotalTimeout: 40 }), TimeoutError);
  assert.ok(sent.length <= 3);
  await client.close();
});

test("a member of a batch is repeated by itself, and the batch's answer is nothing to it", async () => {
  const { peer, far } = joinFarEnd();
  peer.use(retry({ ...soon, methods: ["slow"] }));
  const results = peer.batch((batch) => [batch.request("slow", [], { timeout: 10 }), batch.request("quick", [])]);
  assert.deepEqual(await far.next(), [request(1, "slow", []), request(2, "quick", [])]);
  assert.deepEqual(await far.next(), request(1, "slow", []));
  far.send([success(2, "quick")]);
  await settled();
  far.send(success(1, "slow"));
  assert.deepEqual(await results, ["slow", "quick"]);
  await peer.close();
});

test("a hundred calls that wait leave one listener on a shared signal, and none when they end", async () => {
  const client = createPeer(unreachable([], () => new ClosedError("no route", { sent: false })));
  client.use(retry({ delay: 60_000 }));
  const control = new AbortController();
  const calls = Array.from({ length: 100 }, () => client.request("book", undefined, { signal: control.signal }));
  await settled();
  assert.equal(getEventListeners(control.signal, "abort").length, 1);
  control.abort();
  for (const call of calls) await assert.rejects(call, AbortError);
  assert.equal(getEventListeners(control.signal, "abort").length, 0);
  await client.close();
});
