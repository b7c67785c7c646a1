import assert from "node:assert/strict";
import { test } from "node:test";
import { type Context, createPeer, implement } from "@x/jsonrpc";
import { HandMade } from "./hand-made.ts";
import { type Joined, join, notification, request, settled, success } from "./far-end.ts";

const CHANGED = "tools/list_changed";
const fails = (): never => {
  throw new Error("cut");
};
const debounced = (): Joined => join({ debouncedNotificationMethods: [CHANGED] });

test("a notification has no id, gets no answer and resolves when the transport has taken it", async () => {
  const { peer, far } = join();
  await peer.notify("a", { x: 1 });
  await peer.notify("b");
  assert.deepEqual(await far.rest(), [notification("a", { x: 1 }), notification("b")]);
});

test("it waits for a transport that is slow", async () => {
  const taken: (() => void)[] = [];
  const peer = createPeer(new HandMade(() => new Promise((resolve) => taken.push(resolve))));
  let sent = false;
  const notified = peer.notify("a").then(() => (sent = true));
  await settled();
  assert.equal(sent, false);
  taken[0]?.();
  await notified;
  await peer.close();
});

test("one that can't be sent rejects; left alone it ends no process", async () => {
  const { peer, far } = join();
  await assert.rejects(peer.notify("bad", [1n]), TypeError);
  void peer.notify("bad", [1n]);
  const rejecting = createPeer(new HandMade(() => Promise.reject(new Error("cut"))));
  await assert.rejects(rejecting.notify("a"), /cut/);
  void rejecting.notify("a");
  await settled();
  await far.nothing();
});

test("what a notification's handler throws or rejects with goes to the error hook, nothing to the other side", async () => {
  const service = implement({
    sync: () => {
      throw new Error("at once");
    },
    later: () => Promise.reject(new Error("later")),
  });
  const { far, reports } = join({ service });
  far.send(notification("sync"));
  far.send(notification("later"));
  await far.nothing();
  assert.deepEqual(
    reports.map(({ error, origin }) => [(error as Error).message, origin]),
    [
      ["at once", "handler"],
      ["later", "handler"],
    ],
  );
});

test("I01: a hundred equal notifications of one turn are one", async () => {
  const { peer, far } = debounced();
  for (let n = 0; n < 100; n++) void peer.notify(CHANGED);
  assert.deepEqual(await far.rest(), [notification(CHANGED)]);
  void peer.notify(CHANGED);
  assert.deepEqual(await far.rest(), [notification(CHANGED)]);
});

test("only those that are listed, have no params and belong to no request are merged", async () => {
  let context: Context | undefined;
  const service = implement({
    hold: (_: unknown, given: Context) => {
      context = given;
      return settled();
    },
  });
  const { peer, far } = join({ service, debouncedNotificationMethods: [CHANGED, "other"] });
  far.send(request(0, "hold"));
  await settled();
  await far.rest();
  for (let n = 0; n < 2; n++) {
    void peer.notify(CHANGED, { n });
    void peer.notify("unlisted");
    void context?.notify(CHANGED);
    void peer.notify(CHANGED);
    void peer.notify("other");
  }
  const methods = (await far.rest()).map((each) => JSON.stringify(each)).sort();
  assert.deepEqual(
    methods,
    [
      notification(CHANGED, { n: 0 }),
      notification(CHANGED, { n: 1 }),
      notification("unlisted"),
      notification("unlisted"),
      notification(CHANGED),
      notification(CHANGED),
      notification(CHANGED),
      notification("other"),
    ]
      .map((each) => JSON.stringify(each))
      .sort(),
  );
});

test("a merged notification has been sent when its promise resolves", async () => {
  const transport = new HandMade();
  const peer = createPeer(transport, { debouncedNotificationMethods: [CHANGED] });
  void peer.notify(CHANGED);
  await peer.notify(CHANGED);
  assert.deepEqual(transport.sent, [notification(CHANGED)]);
});

test("I02: closed within the same turn, nothing is sent and nothing rejects", async () => {
  const { peer, far, reports } = debounced();
  const notified = peer.notify(CHANGED);
  await peer.close();
  await notified;
  await far.nothing();
  assert.deepEqual(reports, []);
});

test("one that fails after it was merged is reported", async () => {
  for (const sending of [fails, () => Promise.reject(new Error("cut"))]) {
    const reports: string[] = [];
    const peer = createPeer(new HandMade(sending), {
      debouncedNotificationMethods: [CHANGED],
      onError: (_error, origin) => reports.push(origin),
    });
    await peer.notify(CHANGED);
    await settled();
    assert.deepEqual(reports, ["transport"]);
  }
});

test("notifications reach their handlers in order, before the requests that follow", async () => {
  const heard: unknown[] = [];
  const service = implement({ note: ([n]: [number]) => void heard.push(n), read: () => heard });
  const { far } = join({ service });
  for (let n = 0; n < 100; n++) far.send(notification("note", [n]));
  assert.deepEqual(
    await far.ask(request(1, "read")),
    success(
      1,
      Array.from({ length: 100 }, (_, n) => n),
    ),
  );
});
