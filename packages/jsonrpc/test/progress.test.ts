import assert from "node:assert/strict";
import { test } from "node:test";
import { type Context, type Profile, base, createPeer, implement, memoryPair } from "@x/jsonrpc";
import { type Joined, join, notification, settled, success } from "./far-end.ts";

/** Progress as MCP has it: a token in `_meta`. */
const profile: Profile = {
  ...base,
  progress: {
    method: "notifications/progress",
    attach: (params, token) => ({ ...(params as object), _meta: { progressToken: token } }),
    token: (params) => (params as { progressToken?: number } | undefined)?.progressToken,
  },
};

const joined = (): Joined => join({ profile });
const progress = (token: unknown, n: number): object =>
  notification("notifications/progress", { progressToken: token, progress: n });

test("a call with a listener carries a token, one without does not (H07)", async () => {
  const { peer, far } = joined();
  void peer.request("a", { x: 1 }, { onProgress: () => {} }).catch(() => {});
  void peer.request("b", undefined, { resetTimeoutOnProgress: true }).catch(() => {});
  void peer.request("c", { x: 1 }).catch(() => {});
  assert.deepEqual((await far.request()).params, { x: 1, _meta: { progressToken: 1 } });
  assert.deepEqual((await far.request()).params, { _meta: { progressToken: 2 } });
  assert.deepEqual((await far.request()).params, { x: 1 });
  await peer.close();
});

test("the caller's own params stay as they were", async () => {
  const { peer, far } = joined();
  const params = Object.freeze({ x: 1 });
  void peer.request("a", params, { onProgress: () => {} }).catch(() => {});
  await far.next();
  assert.deepEqual(params, { x: 1 });
  await peer.close();
});

test("B03: progress that comes just before the result is heard before it", async () => {
  const { peer, far, reports } = joined();
  const heard: unknown[] = [];
  const call = peer.request("a", {}, { onProgress: (params) => heard.push((params as { progress: number }).progress) });
  const done = call.then((result) => heard.push(result));
  const { id } = await far.request();
  far.send(progress(id, 1));
  far.send(progress(id, 2));
  far.send(success(id, "result"));
  await done;
  assert.deepEqual(heard, [1, 2, "result"]);
  far.send(progress(id, 3));
  far.send(progress("unknown", 4));
  await far.nothing();
  assert.deepEqual(heard, [1, 2, "result"]);
  assert.deepEqual(reports, []);
});

test("progress and result in one batch keep their order too", async () => {
  const { peer, far } = joined();
  const heard: unknown[] = [];
  const call = peer.request("a", {}, { onProgress: () => heard.push("progress") });
  const done = call.then((result) => heard.push(result));
  const { id } = await far.request();
  far.send([progress(id, 1), success(id, "result")]);
  await done;
  assert.deepEqual(heard, ["progress", "result"]);
});

test('B02: tokens 0 and "" are tokens', async () => {
  const ids = [0, ""];
  const { peer, far } = join({ profile, nextId: () => ids.shift() as number });
  const heard: unknown[] = [];
  const calls = [0, ""].map((id) => peer.request("a", {}, { onProgress: () => heard.push(id) }));
  for (const _ of calls) {
    const { id } = await far.request();
    far.send(progress(id, 1));
    far.send(success(id, 1));
  }
  await Promise.all(calls);
  assert.deepEqual(heard, [0, ""]);
});

test("B07: a listener that throws, at once or later, goes to the error hook; the call goes on", async () => {
  const { peer, far, reports } = joined();
  const sync = peer.request(
    "a",
    {},
    {
      onProgress: () => {
        throw new Error("at once");
      },
    },
  );
  const later = peer.request("b", {}, { onProgress: () => Promise.reject(new Error("later")) });
  for (const _ of [sync, later]) {
    const { id } = await far.request();
    far.send(progress(id, 1));
    far.send(success(id, "fine"));
  }
  assert.deepEqual(await Promise.all([sync, later]), ["fine", "fine"]);
  await settled();
  assert.deepEqual(
    reports.map(({ error, origin }) => [(error as Error).message, origin]),
    [
      ["at once", "handler"],
      ["later", "handler"],
    ],
  );
});

test("progress of no call of ours goes to a handler that wants it", async () => {
  const [a, b] = memoryPair();
  const heard: unknown[] = [];
  implement({ "notifications/progress": (params: unknown) => void heard.push(params) }).connect(a, { profile });
  const peer = createPeer(b);
  await peer.notify("notifications/progress", { progressToken: "subscription", progress: 1 });
  await settled();
  assert.deepEqual(heard, [{ progressToken: "subscription", progress: 1 }]);
  await peer.close();
});

test("both ends can report progress, with the same token, without mixing them up", async () => {
  const [a, b] = memoryPair();
  const heard: string[] = [];
  const work = (name: string, nested: boolean) => async (_params: unknown, context: Context) => {
    const token = (context.params as { _meta: { progressToken: number } })._meta.progressToken;
    if (nested) await context.request("work", {}, { onProgress: () => heard.push(`${name} hears`) });
    await context.notify("notifications/progress", { progressToken: token, progress: 1 });
    return name;
  };
  implement({ work: work("server", true) }).connect(a, { profile });
  const client = createPeer(b, { profile, service: implement({ work: work("client", false) }) });
  assert.equal(await client.request("work", {}, { onProgress: () => heard.push("client hears") }), "server");
  assert.deepEqual(heard, ["server hears", "client hears"]);
  await client.close();
});

test("a profile that can't attach a token to such params rejects the call", async () => {
  const strict: Profile = {
    ...profile,
    progress: {
      ...profile.progress!,
      attach: () => {
        throw new TypeError("params must be an object");
      },
    },
  };
  const { peer, far } = join({ profile: strict });
  await assert.rejects(peer.request("a", [1], { onProgress: () => {} }), /params must be an object/);
  await far.nothing();
});
