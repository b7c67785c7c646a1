import assert from "node:assert/strict";
import { test } from "node:test";
import { AbortError, type Context, type Id, type Profile, type Request, RpcError, base, implement } from "@x/jsonrpc";
import { HandMade } from "./hand-made.ts";
import { codeOf, failure, join, notification, request, settled, sleep, success } from "./far-end.ts";

/** As the Language Server Protocol has it: a cancelled request is still answered. */
const lsp: Profile = {
  ...base,
  cancel: {
    method: "$/cancelRequest",
    params: (id) => ({ id }),
    id: (params) => (params as { id?: Id } | undefined)?.id,
    answer: { code: -32800, message: "Request cancelled" },
  },
};

/** As MCP has it: no answer follows, there is a reason, and one method is spared. */
const mcp: Profile = {
  ...base,
  cancel: {
    method: "notifications/cancelled",
    params: (requestId, reason) => (reason === undefined ? { requestId } : { requestId, reason }),
    id: (params) => (params as { requestId?: Id } | undefined)?.requestId,
    reason: (params) => (params as { reason?: string } | undefined)?.reason,
    except: ["initialize"],
  },
};

const cancelLsp = (id: unknown): object => notification("$/cancelRequest", { id });
const cancelMcp = (requestId: unknown, reason?: string): object =>
  notification("notifications/cancelled", { requestId, ...(reason === undefined ? {} : { reason }) });

const contexts = new Map<Id, Context>();
const started: Id[] = [];
const handlers = {
  /** Gives up when its signal is aborted, with the signal's reason. */
  obey: (_: unknown, context: Context) => {
    started.push(context.id!);
    contexts.set(context.id!, context);
    return new Promise((_resolve, reject) => {
      context.signal.addEventListener("abort", () => reject(context.signal.reason as Error));
    });
  },
  /** Answers all the same. */
  ignore: (_: unknown, context: Context) =>
    new Promise((resolve) => context.signal.addEventListener("abort", () => resolve("done anyway"))),
  refuse: (_: unknown, context: Context) =>
    new Promise((_resolve, reject) =>
      context.signal.addEventListener("abort", () => reject(new RpcError(-32802, "Server cancelled"))),
    ),
  fetching: (_: unknown, context: Context) =>
    new Promise((_resolve, reject) =>
      context.signal.addEventListener("abort", () =>
        reject(new DOMException("This operation was aborted", "AbortError")),
      ),
    ),
  broken: (_: unknown, context: Context) =>
    new Promise((_resolve, reject) => context.signal.addEventListener("abort", () => reject(new TypeError("a bug")))),
  ping: () => "pong",
};
const service = implement(handlers);

test("LSP: a handler that gives up is answered with the profile's error, nothing is reported", async () => {
  for (const method of ["obey", "fetching"]) {
    const { far, reports, peer } = join({ service, profile: lsp });
    far.send(request(1, method));
    assert.deepEqual(await far.ask(cancelLsp(1)), failure(1, -32800, "Request cancelled"));
    assert.deepEqual(reports, []);
    await peer.close();
  }
});

test("LSP: a result or an error of the handler's own is sent as it is", async () => {
  const { far, peer } = join({ service, profile: lsp });
  far.send(request(1, "ignore"));
  assert.deepEqual(await far.ask(cancelLsp(1)), success(1, "done anyway"));
  far.send(request(2, "refuse"));
  assert.deepEqual(await far.ask(cancelLsp(2)), failure(2, -32802, "Server cancelled"));
  await peer.close();
});

test("MCP: whatever a cancelled handler gives, nothing is sent", async () => {
  const { far, reports, peer } = join({ service, profile: mcp });
  for (const [id, method] of ["obey", "ignore", "refuse", "fetching"].entries()) {
    far.send(request(id, method));
    far.send(cancelMcp(id));
  }
  await far.nothing();
  assert.deepEqual(reports, []);
  assert.deepEqual(await far.ask(request(0, "ping")), success(0, "pong"));
  await peer.close();
});

test("a bug in a cancelled handler is still reported", async () => {
  const { far, reports, peer } = join({ service, profile: mcp });
  far.send(request(1, "broken"));
  far.send(cancelMcp(1));
  await far.nothing();
  assert.deepEqual(
    reports.map(({ error, origin }) => [String(error), origin]),
    [["TypeError: a bug", "handler"]],
  );
  await peer.close();
});

test("the signal's reason is an AbortError with the canceller's text", async () => {
  const { far, peer } = join({ service, profile: mcp });
  far.send(request("why", "obey"));
  far.send(cancelMcp("why", "user pressed escape"));
  await settled();
  const reason: unknown = contexts.get("why")?.signal.reason;
  assert.ok(reason instanceof AbortError);
  assert.equal(reason.message, "user pressed escape");
  await peer.close();
});

test("ids that are unknown, of another type, missing or nonsense cancel nothing; so does a second cancel", async () => {
  const { far, reports, peer } = join({ service, profile: mcp });
  far.send(request(1, "obey"));
  for (const params of [{ requestId: "1" }, { requestId: 2 }, {}, undefined, { requestId: { a: 1 } }, [1]])
    far.send(notification("notifications/cancelled", params));
  await far.nothing();
  assert.equal(contexts.get(1)?.signal.aborted, false);
  far.send(cancelMcp(1));
  far.send(cancelMcp(1));
  await far.nothing();
  assert.equal(contexts.get(1)?.signal.aborted, true);
  assert.deepEqual(reports, []);
  await peer.close();
});

test("what names no call in flight is a notification like others: a protocol may mean something else by it", async () => {
  const named: unknown[] = [];
  const notified = implement({ ...handlers, "notifications/cancelled": (params: unknown) => named.push(params) });
  const { far, peer } = join({ service: notified, profile: mcp });
  far.send(request(1, "obey"));
  far.send(cancelMcp(1));
  far.send(cancelMcp(2));
  await far.nothing();
  assert.deepEqual(named, [{ requestId: 2 }]);
  await peer.close();
});

test('B02: requests 0 and "" can be cancelled', async () => {
  for (const id of [0, ""]) {
    const { far, peer } = join({ service, profile: lsp });
    far.send(request(id, "obey"));
    assert.equal(codeOf(await far.ask(cancelLsp(id))), -32800);
    await peer.close();
  }
});

test("cancelled queued work never starts; where the profile answers, at once", async () => {
  const before = started.length;
  for (const [profile, cancel] of [
    [lsp, cancelLsp],
    [mcp, cancelMcp],
  ] as const) {
    const { far, peer } = join({ service, profile, concurrency: 1 });
    far.send(request("runs", "obey"));
    far.send(request("waits", "obey"));
    await settled();
    far.send(cancel("waits"));
    if (profile === lsp) assert.deepEqual(await far.next(), failure("waits", -32800, "Request cancelled"));
    else await far.nothing();
    far.send(cancel("runs"));
    assert.equal((await far.rest()).length, profile === lsp ? 1 : 0);
    assert.deepEqual(await far.ask(request("after", "ping")), success("after", "pong"));
    await peer.close();
  }
  assert.deepEqual(started.slice(before), ["runs", "runs"]);
});

test("a call that is cancelled while it waits leaves no place behind: no more run than may", async () => {
  const before = started.length;
  const { far, peer } = join({ service, profile: lsp, concurrency: 1 });
  for (const id of ["a", "b", "c"]) far.send(request(id, "obey"));
  await far.ask(cancelLsp("b"));
  await settled();
  assert.deepEqual(started.slice(before), ["a"]);
  await far.ask(cancelLsp("a"));
  await settled();
  assert.deepEqual(started.slice(before), ["a", "c"]);
  await peer.close();
});

test("a handler that looks at its signal only after the cancelling finds it aborted", async () => {
  const signals: boolean[] = [];
  const late = implement({
    look: async (_: unknown, context: Context) => {
      await settled();
      signals.push(context.signal.aborted);
    },
  });
  const { far, peer } = join({ service: late, profile: lsp });
  far.send(request(1, "look"));
  far.send(cancelLsp(1));
  assert.deepEqual(await far.next(), success(1, null));
  assert.deepEqual(signals, [true]);
  await peer.close();
});

test("the cancel notification belongs to the request that the cancelled call was made for", async () => {
  const sent: unknown[] = [];
  const transport = new HandMade((message, options) => {
    sent.push([(message as Request).method, options?.cause]);
  });
  const asking = implement({
    ask: (_: unknown, context: Context) => context.request("back", undefined, { timeout: 5 }).catch(() => "gave up"),
  });
  const peer = asking.connect(transport, { profile: lsp });
  transport.receive(request("theirs", "ask"));
  await sleep(50);
  assert.deepEqual(sent.slice(0, 2), [
    ["back", "theirs"],
    ["$/cancelRequest", "theirs"],
  ]);
  await peer.close();
});

test("the id of a call that was cancelled while it waited is free again", async () => {
  const { far, peer } = join({ service, profile: mcp, concurrency: 1 });
  far.send(request("runs", "obey"));
  far.send(request(1, "obey"));
  far.send(cancelMcp(1));
  far.send(request(1, "ping"));
  far.send(cancelMcp("runs"));
  assert.deepEqual(await far.next(), success(1, "pong"));
  await peer.close();
});

test("a cancelled member leaves the batch's answer, the others stay", async () => {
  const { far, peer } = join({ service, profile: mcp });
  assert.deepEqual(await far.ask([request(1, "obey"), request(2, "ping"), cancelMcp(1)]), [success(2, "pong")]);
  far.send([request(1, "obey"), cancelMcp(1)]);
  await far.nothing();
  await peer.close();
});

test("a caller that aborts or runs out of time says so, with the reason", async () => {
  const { peer, far } = join({ profile: mcp });
  const abort = new AbortController();
  const aborted = peer.request("a", undefined, { signal: abort.signal });
  const { id } = await far.request();
  abort.abort(new Error("changed my mind"));
  await assert.rejects(aborted, AbortError);
  assert.deepEqual(await far.next(), cancelMcp(id, "changed my mind"));
  const late = peer.request("b", undefined, { timeout: 10 });
  const second = await far.request();
  await assert.rejects(late);
  assert.deepEqual(await far.next(), cancelMcp(second.id, 'No answer to "b" within 10 ms'));
  await peer.close();
});

test("LSP: the answer to a call that was given up is expected, and other late answers are reported", async () => {
  const reports: unknown[] = [];
  const { peer, far } = join({ profile: lsp, onError: (error) => reports.push(error) });
  const give = async (code: number): Promise<void> => {
    const abort = new AbortController();
    const call = peer.request("a", undefined, { signal: abort.signal });
    const { id } = await far.request();
    abort.abort();
    await assert.rejects(call, AbortError);
    assert.deepEqual(await far.next(), cancelLsp(id));
    far.send(failure(id, code, "Request cancelled"));
    await settled();
  };
  await give(-32800);
  assert.deepEqual(reports, []);
  await give(-32801);
  assert.equal(reports.length, 1);
  await peer.close();
});

test("a method that is never cancelled is only given up", async () => {
  const { peer, far } = join({ profile: mcp });
  const call = peer.request("initialize", {}, { timeout: 10 });
  await far.next();
  await assert.rejects(call);
  await far.nothing();
  await peer.close();
});

test("an answered call is not cancelled by its signal or its timeout any more", async () => {
  const { peer, far } = join({ profile: mcp });
  const abort = new AbortController();
  const call = peer.request("a", undefined, { signal: abort.signal, timeout: 20 });
  far.send(success((await far.request()).id, 1));
  await call;
  abort.abort();
  await assert.rejects(peer.request("b", undefined, { timeout: 30 }));
  assert.equal((await far.request()).method, "b");
  assert.deepEqual((await far.rest()).length, 1);
  await peer.close();
});

test("both ends may cancel calls with the same id", async () => {
  const { far, peer } = join({ service, profile: mcp });
  const abort = new AbortController();
  const mine = peer.request("far", undefined, { signal: abort.signal });
  const { id } = await far.request();
  far.send(request(id, "obey"));
  await settled();
  abort.abort();
  await assert.rejects(mine, AbortError);
  assert.deepEqual(((await far.notification()).params as { requestId: Id }).requestId, id);
  assert.equal(contexts.get(id)?.signal.aborted, false);
  await peer.close();
});
