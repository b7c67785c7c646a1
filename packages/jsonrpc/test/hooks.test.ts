// What the user gives a peer to be called, and what becomes of the connection when it throws.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  AbortError,
  type CancelProfile,
  INTERNAL_ERROR,
  type Id,
  type Profile,
  type ProgressProfile,
  RpcError,
  TimeoutError,
  base,
  createPeer,
  implement,
} from "@x/jsonrpc";
import { HandMade } from "./hand-made.ts";
import { codeOf, join, notification, request, settled, success } from "./far-end.ts";

const fails = (): never => {
  throw new Error("a hook that fails");
};
const named = (params: unknown): Id | undefined => (params as { id?: Id } | undefined)?.id;
const cancel: CancelProfile = { method: "cancel", params: (id) => ({ id }), id: named };
const progress: ProgressProfile = {
  method: "progress",
  attach: (params, id) => ({ ...(params as object), id }),
  token: named,
};
const service = implement({ echo: (params: unknown) => params, slow: () => new Promise(() => {}) });

describe("a profile whose functions throw", () => {
  const profiles: readonly [string, Profile][] = [
    ["cancel.id", { ...base, cancel: { ...cancel, id: fails } }],
    ["cancel.reason", { ...base, cancel: { ...cancel, reason: fails } }],
    ["progress.token", { ...base, cancel, progress: { ...progress, token: fails } }],
  ];
  for (const [name, profile] of profiles)
    test(`${name}: that notification is reported, the next message is taken`, async () => {
      const { peer, far, reports } = join({ service, profile });
      far.send(request(1, "slow"));
      far.send([notification("cancel", { id: 1 }), notification("progress", { id: 1 }), request(2, "echo", [1])]);
      assert.deepEqual(await far.next(), [success(2, [1])]);
      assert.deepEqual(
        reports.map(({ error, origin }) => [(error as Error).message, origin]),
        [["a hook that fails", "handler"]],
      );
      await peer.close();
    });

  test("refuse: the request is answered", async () => {
    const { peer, far, reports } = join({ service, profile: { ...base, refuse: fails } });
    assert.equal(codeOf(await far.ask(request(1, "echo"))), INTERNAL_ERROR);
    const answers = (await far.ask([request(2, "echo"), notification("echo")])) as unknown[];
    assert.deepEqual(answers.map(codeOf), [INTERNAL_ERROR]);
    assert.equal(reports.length, 2);
    await peer.close();
  });

  test("cancel.params: every call that was given up rejects", async () => {
    const { peer, reports } = join({ profile: { ...base, cancel: { ...cancel, params: fails } } });
    const stop = new AbortController();
    const calls = ["a", "b"].map((method) => peer.request(method, undefined, { signal: stop.signal }));
    stop.abort();
    for (const call of calls) await assert.rejects(call, AbortError);
    await assert.rejects(peer.request("c", undefined, { timeout: 1 }), TimeoutError);
    assert.equal(reports.length, 3);
    await peer.close();
  });

  test("progress.attach: its call rejects", async () => {
    const { peer } = join({ profile: { ...base, progress: { ...progress, attach: fails } } });
    await assert.rejects(peer.request("a", {}, { onProgress: () => {} }), /a hook that fails/);
    await peer.close();
  });
});

test("a transport's cancel that throws: the call rejects", async () => {
  const reports: unknown[] = [];
  const transport = Object.assign(new HandMade(), { cancel: fails });
  const peer = createPeer(transport, { onError: (error) => reports.push(error) });
  await assert.rejects(peer.request("a", undefined, { timeout: 1 }), TimeoutError);
  assert.equal(reports.length, 1);
  await peer.close();
});

for (const [how, onError] of [
  ["throws", fails],
  ["rejects", async () => fails()],
] as const)
  test(`an onError that ${how} is told to the console, and the connection lives`, async (t) => {
    const told = t.mock.method(console, "error", () => {});
    // oxlint-disable-next-line no-misused-promises -- the compiler lets it pass too
    const { peer, far } = join({ service, onError });
    far.send(success(9, "nobody asked"));
    assert.deepEqual(await far.ask(request(1, "echo", [1])), success(1, [1]));
    await settled();
    assert.deepEqual(
      told.mock.calls.map(({ arguments: [error] }) => String(error)),
      ["Error: a hook that fails"],
    );
    await peer.close();
  });

test("a result whose then can't be read is an internal error", async () => {
  const { peer, far, reports } = join({
    service: implement({
      // oxlint-disable-next-line no-thenable -- a lazy proxy, say, may be one
      odd: () => Object.defineProperty({}, "then", { get: fails }),
    }),
  });
  assert.equal(codeOf(await far.ask(request(1, "odd"))), INTERNAL_ERROR);
  assert.equal(reports.length, 1);
  await peer.close();
});

test("an RpcError whose code is no integer leaves as an internal error, and is told here", async () => {
  const { peer, far, reports } = join({
    service: implement({
      odd: () => {
        throw new RpcError("busy" as unknown as number, "later");
      },
    }),
  });
  assert.equal(codeOf(await far.ask(request(1, "odd"))), INTERNAL_ERROR);
  assert.deepEqual(
    reports.map(({ error }) => String(error)),
    ["RpcError: later"],
  );
  await peer.close();
});
