import assert from "node:assert/strict";
import { test } from "node:test";
import { ClosedError, type Context, type Peer, createPeer, implement, memoryPair } from "@x/jsonrpc";
import { HandMade } from "./hand-made.ts";
import { codeOf, join, notification, request, settled, sleep, success } from "./far-end.ts";

const closed = (sent: boolean) => (error: unknown) => error instanceof ClosedError && error.sent === sent;

const obey = (_: unknown, { signal }: Context): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));

const openedBy = (open: () => Promise<void>): Peer => createPeer({ open, send: () => {}, close: () => {} });

test("close rejects everything in flight at once, with the reason", async () => {
  const { peer } = join();
  const calls = [peer.request("a"), peer.request("b", undefined, { timeout: 0 })];
  const why = new Error("maintenance");
  const done = peer.close(why);
  for (const call of calls)
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof ClosedError);
      assert.deepEqual([error.sent, error.cause], [true, why]);
      return true;
    });
  await assert.rejects(peer.request("c"), { message: '"c" was not sent: maintenance' });
  await done;
  assert.equal(await peer.closed, why);
});

test("without a reason the error says that the connection has ended", async () => {
  const { peer } = join();
  const call = peer.request("a");
  await Promise.all([
    peer.close(),
    assert.rejects(call, { message: '"a" was not answered: the connection has ended' }),
  ]);
  assert.equal(await peer.closed, undefined);
});

test("after the end requests and notifications reject as not sent; a notification left alone is safe", async () => {
  const { peer } = join();
  await peer.close();
  await assert.rejects(peer.request("a"), closed(false));
  await assert.rejects(peer.notify("a"), closed(false));
  void peer.notify("left alone");
  await settled();
});

test("close may be called twice, at once and later, also from a handler", async () => {
  const service = implement({
    quit: async () => {
      await peer.close("quit");
      return "never sent";
    },
  });
  const { peer, far } = join({ service });
  far.send(request(1, "quit"));
  assert.equal(await peer.closed, "quit");
  await Promise.all([peer.close("again"), peer.close()]);
  assert.equal(await peer.closed, "quit");
  await far.ended;
  await far.nothing();
});

test("the other side's end rejects calls in flight and closes this side", async () => {
  const { peer, far } = join();
  const call = peer.request("a");
  await far.next();
  await far.transport.close();
  await assert.rejects(call, closed(true));
  assert.equal(await peer.closed, undefined);
});

test("a broken transport rejects with its reason (A07)", async () => {
  const transport = new HandMade();
  const peer = createPeer(transport);
  const call = peer.request("a");
  const reason = new Error("a line of 12 MB, at most 10 MB are taken");
  transport.broken(reason);
  await assert.rejects(call, (error) => error instanceof ClosedError && error.cause === reason);
  await assert.rejects(peer.request("b"), /at most 10 MB are taken/);
  assert.equal(await peer.closed, reason);
  assert.equal(transport.closes, 1);
});

test("a transport that can't be opened, or says so only later, closes the peer with the reason", async () => {
  const reason = new Error("no route");
  const peers = [
    openedBy(() => {
      throw reason;
    }),
    openedBy(() => Promise.reject(reason)),
    openedBy((() => undefined) as never),
  ];
  for (const peer of peers.slice(0, 2)) assert.equal(await peer.closed, reason);
  assert.ok((await peers[2]?.closed) instanceof TypeError);
});

test("close resolves although the transport's own close throws or rejects; that is reported", async () => {
  for (const close of [
    () => {
      throw new Error("stuck");
    },
    () => Promise.reject(new Error("stuck")),
  ]) {
    const reports: string[] = [];
    const peer = createPeer(
      { open: () => new Promise(() => {}), send: () => {}, close },
      { onError: (error, origin) => reports.push(`${origin}: ${(error as Error).message}`) },
    );
    await peer.close();
    assert.deepEqual(reports, ["transport: stuck"]);
  }
});

test("a reason that can't be made a text ends a peer like any other", async () => {
  for (const reason of [Object.create(null), { message: Object.create(null) }, Symbol("over"), null]) {
    const { peer, far } = join();
    const call = peer.request("a");
    await far.request();
    await Promise.all([assert.rejects(call, ClosedError), peer.close(reason)]);
    assert.equal(await peer.closed, reason);
    await assert.rejects(peer.request("b"), ClosedError);
  }
});

test("a handler that fails because nobody is there any more is not reported, one with a bug is", async () => {
  const reports: unknown[] = [];
  const bug = new TypeError("a bug");
  const service = implement({
    stream: async (_: unknown, { notify, signal }: Context) => {
      for (;;) {
        await sleep(1);
        await notify("part", [signal.aborted]);
      }
    },
    broken: async (_: unknown, { signal }: Context) => {
      while (!signal.aborted) await sleep(1);
      throw bug;
    },
  });
  const { peer, far } = join({ service, onError: (error) => reports.push(error) });
  far.send(request(1, "stream"));
  far.send(request(2, "broken"));
  await far.notification();
  await peer.close();
  await sleep(20);
  assert.deepEqual(reports, [bug]);
});

test("close waits for the transport to deliver what was sent", async () => {
  const delivered: (() => void)[] = [];
  const peer = createPeer({
    open: () => new Promise(() => {}),
    send: () => {},
    close: () => new Promise<void>((resolve) => delivered.push(resolve)),
  });
  let done = false;
  void peer.close().then(() => (done = true));
  await settled();
  assert.equal(done, false);
  delivered[0]?.();
  await peer.closed;
});

test("what arrives during and after close is not looked at", async () => {
  const transport = new HandMade();
  const reports: unknown[] = [];
  const started: string[] = [];
  const peer = createPeer(transport, {
    service: implement({ late: () => void started.push("late") }),
    onError: (error) => reports.push(error),
  });
  const closing = peer.close();
  transport.receive(request(1, "late"));
  transport.receive("nonsense");
  await closing;
  transport.receive(success(1, 1));
  assert.deepEqual([started, transport.sent, reports], [[], [], []]);
});

test("D06: handlers are aborted at once when this side closes, and within 500 ms when the other side ends", async () => {
  for (const ours of [true, false]) {
    let context: Context | undefined;
    const service = implement({
      wait: (_: unknown, given: Context) => {
        context = given;
        return new Promise(() => {});
      },
    });
    const { peer, far } = join({ service });
    far.send(request(1, "wait"));
    await settled();
    assert.ok(context);
    const { signal } = context;
    void (ours ? peer.close() : far.transport.close());
    // Timers fire in order, however busy the machine is.
    const aborted = await new Promise((resolve) => setTimeout(() => resolve(signal.aborted), ours ? 0 : 500));
    assert.equal(aborted, true);
    assert.ok(context.signal.reason instanceof ClosedError);
    if (ours) await peer.closed;
    else await peer.close();
  }
});

test("a handler that closes the connection before it waits is aborted too", async () => {
  let signal: AbortSignal | undefined;
  const service = implement({
    quit: (_: unknown, context: Context) => {
      ({ signal } = context);
      void peer.close();
      return new Promise(() => {});
    },
  });
  const { peer, far } = join({ service });
  far.send(request(1, "quit"));
  await peer.closed;
  assert.equal(signal?.aborted, true);
});

test("handlers that give up because the connection ended are no error to report", async () => {
  const { peer, far, reports } = join({ service: implement({ obey }) });
  far.send(request(1, "obey"));
  far.send(notification("obey"));
  await settled();
  await peer.close();
  await settled();
  assert.deepEqual(reports, []);
});

test("calls that wait for their turn never start after close", async () => {
  const started: number[] = [];
  const service = implement({
    wait: ([n]: [number]) => {
      started.push(n);
      return new Promise<void>((resolve) => gates.push(resolve));
    },
  });
  const gates: (() => void)[] = [];
  const { peer, far } = join({ service, concurrency: 1 });
  for (const n of [1, 2, 3]) far.send(request(n, "wait", [n]));
  await settled();
  await peer.close();
  gates[0]?.();
  await settled();
  await settled();
  assert.deepEqual(started, [1]);
});

test("A02: calls read before the other side's end are answered, then this side closes", async () => {
  const transport = new HandMade();
  const service = implement({
    slow: async ([n]: [number], context: Context) => {
      await sleep(100);
      await context.notify("almost", [n]);
      return n;
    },
  });
  const peer = service.connect(transport);
  for (const n of [1, 2]) transport.receive(request(n, "slow", [n]));
  transport.end();
  await peer.closed;
  assert.deepEqual(
    transport.sent.filter((each) => !("id" in (each as object))),
    [notification("almost", [1]), notification("almost", [2])],
  );
  assert.deepEqual(
    transport.sent.filter((each) => "id" in (each as object)),
    [success(1, 1), success(2, 2)],
  );
  assert.equal(transport.closes, 1);
});

test("after the other side's end no call can be made, since no answer could come", async () => {
  const transport = new HandMade();
  let error: unknown;
  const service = implement({
    ask: async (_: unknown, context: Context) => {
      await sleep(20);
      error = await context.request("back").catch((reason: unknown) => reason);
      return "asked";
    },
  });
  const peer = service.connect(transport);
  const own = peer.request("own");
  transport.receive(request(1, "ask"));
  transport.end();
  await assert.rejects(own, closed(true));
  await assert.rejects(peer.request("another"), closed(false));
  await peer.closed;
  assert.ok(closed(false)(error));
  assert.deepEqual(transport.sent.at(-1), success(1, "asked"));
});

test("handlers that outlast `drain` are aborted; what they then answer is sent, what waits is refused", async () => {
  const transport = new HandMade();
  const started: string[] = [];
  const service = implement({
    obey: (_: unknown, { signal, id }: Context) => {
      started.push(String(id));
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      });
    },
    finish: (_: unknown, { signal }: Context) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve("in time"))),
  });
  const reports: unknown[] = [];
  const peer = service.connect(transport, { drain: 30, concurrency: 2, onError: (error) => reports.push(error) });
  transport.receive(request("a", "obey"));
  transport.receive(request("b", "finish"));
  transport.receive(request("c", "obey"));
  transport.end();
  await peer.closed;
  assert.deepEqual(started, ["a"]);
  const byId = new Map(transport.sent.map((each) => [(each as { id: string }).id, each]));
  assert.deepEqual(byId.get("b"), success("b", "in time"));
  assert.deepEqual([codeOf(byId.get("a")), codeOf(byId.get("c"))], [-32000, -32000]);
  assert.deepEqual(reports, []);
});

test("a drain beyond the longest timer lets handlers finish, be it the connection's or the service's", async () => {
  for (const [own, its] of [
    [{ drain: 0 }, { drain: Infinity }],
    [{ drain: 2 ** 40 }, {}],
  ]) {
    const transport = new HandMade();
    const service = implement(
      { slow: async (_: unknown, { signal }: Context) => sleep(20).then(() => signal.aborted) },
      own,
    );
    const peer = service.connect(transport, its);
    transport.receive(request(1, "slow"));
    transport.end();
    await peer.closed;
    assert.deepEqual(transport.sent, [success(1, false)]);
  }
});

test("close during the drain ends it", async () => {
  const transport = new HandMade();
  const service = implement({ wait: () => new Promise(() => {}) });
  const peer = service.connect(transport, { drain: 60_000 });
  transport.receive(request(1, "wait"));
  transport.end();
  await settled();
  await peer.close("enough");
  assert.equal(await peer.closed, "enough");
  assert.deepEqual(transport.sent, []);
});

test("a transport that breaks while it drains changes nothing", async () => {
  const transport = new HandMade();
  const service = implement({ wait: () => settled() });
  const peer = service.connect(transport);
  transport.receive(request(1, "wait"));
  transport.end();
  transport.broken(new Error("and now it breaks"));
  await peer.closed;
  assert.deepEqual(transport.sent, [success(1, null)]);
});

test("the answer to a side that is gone is reported as the transport's fault, not the handler's", async () => {
  const gates: (() => void)[] = [];
  const service = implement({ slow: () => new Promise<void>((resolve) => gates.push(resolve)) });
  const { peer, far, reports } = join({ service });
  far.send(request(1, "slow"));
  await settled();
  await far.transport.close();
  gates[0]?.();
  await peer.closed;
  assert.deepEqual(
    reports.map(({ origin }) => origin),
    ["transport"],
  );
});

test("A23: connect, call, close, fifty times without a pause", async () => {
  const service = implement({ add: ([a, b]: [number, number]) => a + b, wait: () => new Promise(() => {}) });
  for (let n = 0; n < 50; n++) {
    const [a, b] = memoryPair();
    const server = service.connect(a);
    const client = createPeer(b);
    const pending = assert.rejects(client.request("wait"), ClosedError);
    assert.equal(await client.request("add", [n, 1]), n + 1);
    await (n % 2 === 0 ? client.close() : server.close());
    await Promise.all([pending, client.closed, server.close()]);
  }
});
