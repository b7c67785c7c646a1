import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { promisify } from "node:util";
import { type Context, type Id, type Profile, type Request, base, createPeer, implement, memoryPair } from "@x/jsonrpc";
import { codeOf, failure, join, notification, request, settled, success } from "./far-end.ts";
import { Garbage } from "./garbage.ts";
import { HandMade } from "./hand-made.ts";

const profile: Profile = {
  ...base,
  cancel: { method: "cancel", params: (id) => [id], id: (params) => (params as unknown as [Id])[0] },
  progress: {
    method: "progress",
    attach: (params, token) => ({ ...(params as object), token }),
    token: (params) => (params as { token?: Id } | undefined)?.token,
  },
};

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test("an open peer keeps nothing of calls that have ended, whichever way", async () => {
  const garbage = new Garbage();
  const { peer, far, reports } = join({ profile, onError: () => {} });
  const { signal } = new AbortController();
  const call = (name: string, options: object = {}): Promise<unknown> =>
    peer.request(name, garbage.watch(name, { name }), {
      signal,
      onProgress: garbage.watch(`${name} progress`, () => {}),
      ...options,
    });
  const before = timers();
  await (async () => {
    const abort = new AbortController();
    const ended = [
      call("answered"),
      call("failed"),
      call("late", { timeout: 5 }),
      call("aborted", { signal: abort.signal }),
      call("unsendable", { onProgress: undefined, id: "unsendable" }),
    ];
    for (let n = 0; n < 5; n++) {
      const { id, method } = await far.request();
      if (method === "answered") far.send([notification("progress", { token: id }), success(id, {})]);
      else if (method === "failed" || method === "unsendable") far.send(failure(id, 1));
      else if (method === "aborted") abort.abort();
    }
    ended.push(peer.request("cyclic", [garbage.watch("a BigInt's array", [1n])], { signal }));
    await Promise.allSettled(ended);
  })();
  await far.rest();
  assert.equal(timers(), before);
  assert.equal(getEventListeners(signal, "abort").length, 0);
  assert.deepEqual(reports, []);
  await garbage.checkGone();
  await peer.close();
});

test("an open peer keeps nothing of batches that have ended, whichever way", async () => {
  const garbage = new Garbage();
  const { peer, far } = join({ profile, onError: () => {} });
  const batch = (name: string, timeout = 60_000): Promise<unknown> =>
    peer
      .batch((b) => {
        b.notify("n", garbage.watch(`${name} n`, { name }));
        return [b.request(name, garbage.watch(name, { name }), { timeout }), b.request(name, undefined, { timeout })];
      })
      .catch(() => {});
  const before = timers();
  await (async () => {
    const ended = ["answered", "in part", "one by one", "refused"].map((name) => batch(name));
    for (const _ of ended) {
      const [, first, second] = (await far.next()) as [unknown, Request, Request];
      if (first.method === "answered") far.send([success(first.id, 1), success(second.id, 2)]);
      else if (first.method === "in part") far.send([success(first.id, 1)]);
      else if (first.method === "refused") far.send(failure(null, -32600));
      else for (const { id } of [first, second]) far.send(success(id, 1));
      await settled();
    }
    ended.push(
      batch("late", 5),
      peer
        .batch((b) => {
          void b.request("thrown", garbage.watch("thrown", {}));
          throw new Error("changed my mind");
        })
        .catch(() => {}),
    );
    await Promise.all(ended);
  })();
  await far.rest();
  assert.equal(timers(), before);
  await garbage.checkGone();
  await peer.close();
});

test("an open peer keeps nothing of calls that it has handled", async () => {
  const garbage = new Garbage();
  const see = (context: Context): void => {
    garbage.watch(`${context.method} ${context.id}`, context);
  };
  const service = implement({
    sync: (_: unknown, context: Context) => see(context),
    later: async (_: unknown, context: Context) => {
      see(context);
      void context.signal;
      await settled();
    },
    throws: (_: unknown, context: Context) => {
      see(context);
      throw new Error("boom");
    },
    cancelled: (_: unknown, context: Context) => {
      see(context);
      return new Promise((_resolve, reject) =>
        context.signal.addEventListener("abort", () => reject(context.signal.reason as Error)),
      );
    },
  });
  const transport = new HandMade();
  const peer = service.connect(transport, { profile, concurrency: 2, queue: 2, onError: () => {} });
  await (async () => {
    for (const method of ["sync", "later", "throws"]) {
      transport.receive(request(method, method));
      transport.receive(notification(method));
      transport.receive([request(`${method} b`, method), notification(method)]);
      await settled();
      await settled();
    }
    const params = ["cancelled 1", "cancelled 2", "waits 1", "waits 2", "refused"].map((id) => {
      const value = garbage.watch(id, { id });
      transport.receive(request(id, "cancelled", value));
      return id;
    });
    for (const id of params.toReversed()) transport.receive(notification("cancel", [id]));
    await settled();
  })();
  assert.equal(transport.sent.filter((each) => codeOf(each) === -32000).length, 1);
  transport.sent.length = 0;
  await garbage.checkGone();
  await peer.close();
});

test("a closed peer keeps nothing of what was in flight, and no timer", async () => {
  const garbage = new Garbage();
  const service = implement({
    wait: (params: object, context: Context) => {
      garbage.watch("context", context);
      garbage.watch("params", params);
      return new Promise(() => {});
    },
  });
  const peers: unknown[] = [];
  const before = timers();
  for (const end of ["close", "end", "break"] as const)
    await (async () => {
      const transport = new HandMade();
      const peer = service.connect(transport, { profile, drain: 1 });
      const call = peer.request("a", garbage.watch("call", {}), { timeout: 1e6 }).catch(() => {});
      transport.receive(request(1, "wait", {}));
      if (end === "close") await peer.close();
      else if (end === "break") transport.broken(new Error("cut"));
      else transport.end();
      await call;
      if (end === "end") await peer.close();
      await peer.closed;
      transport.sent.length = 0;
      peers.push(peer, transport);
    })();
  assert.equal(timers(), before);
  await garbage.checkGone();
  assert.equal(peers.length, 6);
});

test("a service keeps nothing of its connections and exchanges", async () => {
  const garbage = new Garbage();
  const service = implement({ wait: () => settled() }).use((_call, next) => next());
  const { signal } = new AbortController();
  await (async () => {
    for (let n = 0; n < 10; n++) {
      const [a, b] = memoryPair();
      const server = garbage.watch("server", service.connect(a));
      const client = garbage.watch("client", createPeer(b));
      await client.request("wait");
      await Promise.all([client.close(), server.closed]);
      const info = garbage.watch("info", { n });
      await service.handle(JSON.stringify(request(1, "wait")), info, signal);
      await service.handle(JSON.stringify(notification("wait")), info, signal);
    }
  })();
  await garbage.checkGone();
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

const run = promisify(execFile);
const program = (lines: string): Promise<{ stdout: string }> =>
  run(
    process.execPath,
    [
      "--conditions=@x/source",
      "--import=tsx",
      "--input-type=module",
      "--eval",
      `import { createPeer, implement, memoryPair } from "@x/jsonrpc";
       const [a, b] = memoryPair();
       implement({ ping: () => "pong" }).connect(a);
       const peer = createPeer(b);
       ${lines}`,
    ],
    { cwd: import.meta.dirname, timeout: 30_000 },
  );

test("a peer that is left open doesn't keep the process alive after the last answer", async () => {
  assert.equal((await program(`console.log(await peer.request("ping"));`)).stdout, "pong\n");
  assert.equal(
    (await program(`console.log(await peer.request("ping"), await peer.request("ping", undefined, { timeout: 1e6 }));`))
      .stdout,
    "pong pong\n",
  );
});

test("a call that waits for its timeout does keep the process alive", async () => {
  const { stdout } = await program(`
    await peer.request("ping");
    const far = createPeer({ open: () => new Promise(() => {}), send() {}, close() {} });
    await far.request("ping", undefined, { timeout: 200 }).catch((error) => console.log(error.name));`);
  assert.equal(stdout, "TimeoutError\n");
});
