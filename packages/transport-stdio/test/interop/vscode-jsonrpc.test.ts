// vscode-jsonrpc at the other end of a socket, in both roles at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AbortError, METHOD_NOT_FOUND, type Peer, RpcError, createPeer, implement } from "@x/jsonrpc";
import { contentLength } from "@x/jsonrpc/framing";
import { streamTransport } from "@x/transport-stdio";
import {
  CancellationTokenSource,
  type MessageConnection,
  ProgressType,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  createMessageConnection,
} from "vscode-jsonrpc/node";
import { lsp } from "../lsp/lsp.ts";
import { socketPair } from "../sockets.ts";
import { math } from "./math.ts";

async function joined(service = math()): Promise<{ ours: Peer; theirs: MessageConnection; end: () => Promise<void> }> {
  const [a, b] = await socketPair();
  const ours = createPeer(streamTransport(a, a, { framing: contentLength }), { service, profile: lsp });
  const theirs = createMessageConnection(new StreamMessageReader(b), new StreamMessageWriter(b));
  theirs.onRequest("subtract", (...params: unknown[]) => {
    const [first, second] = params as [number | { minuend: number; subtrahend: number }, number];
    return typeof first === "number" ? first - second : first.minuend - first.subtrahend;
  });
  theirs.onRequest("fail", () => {
    throw new ResponseError(1001, "taken", { until: "15:00" });
  });
  return {
    ours,
    theirs,
    async end() {
      theirs.dispose();
      await ours.close();
    },
  };
}

test("vscode-jsonrpc calls us", async () => {
  const { theirs, end } = await joined();
  theirs.listen();
  assert.equal(await theirs.sendRequest("subtract", 42, 23), 19);
  assert.equal(await theirs.sendRequest("subtract", { minuend: 42, subtrahend: 23 }), 19);
  await theirs.sendNotification("note");
  assert.equal(await theirs.sendRequest("noted"), 1);
  await assert.rejects(theirs.sendRequest("fail"), (error) => {
    assert.ok(error instanceof ResponseError);
    assert.deepEqual([error.code, error.message, error.data], [1001, "taken", { until: "15:00" }]);
    return true;
  });
  await assert.rejects(theirs.sendRequest("nothing"), { code: METHOD_NOT_FOUND });
  const answers = await Promise.all(Array.from({ length: 500 }, (_, i) => theirs.sendRequest("subtract", i, 1)));
  assert.equal(answers[499], 498);
  await end();
});

test("vscode-jsonrpc cancels its call to us: the handler is aborted and the call answered with RequestCancelled", async () => {
  let reason: unknown;
  const { theirs, end } = await joined(
    implement<{ wait(): unknown }>({
      wait: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject((reason = signal.reason)));
        }),
    }),
  );
  theirs.listen();
  const source = new CancellationTokenSource();
  const call = theirs.sendRequest("wait", source.token);
  setTimeout(() => source.cancel(), 20);
  await assert.rejects(call, { code: -32800 });
  assert.ok(reason instanceof AbortError);
  await end();
});

test("we report progress to vscode-jsonrpc", async () => {
  const { theirs, end } = await joined(
    implement<{ count(params: { workDoneToken: string }): string }>({
      async count({ workDoneToken }, context) {
        for (const value of [1, 2]) await context.notify("$/progress", { token: workDoneToken, value });
        return "done";
      },
    }),
  );
  theirs.listen();
  const values: number[] = [];
  theirs.onProgress(new ProgressType<number>(), "token", (value) => void values.push(value));
  assert.equal(await theirs.sendRequest("count", { workDoneToken: "token" }), "done");
  assert.deepEqual(values, [1, 2]);
  await end();
});

test("we call vscode-jsonrpc", async () => {
  const { ours, theirs, end } = await joined();
  const noted = new Promise((resolve) => theirs.onNotification("note", resolve));
  theirs.listen();
  assert.equal(await ours.request("subtract", [42, 23]), 19);
  assert.equal(await ours.request("subtract", { minuend: 42, subtrahend: 23 }), 19);
  await ours.notify("note", { loud: true });
  assert.deepEqual(await noted, { loud: true });
  await assert.rejects(ours.request("fail"), (error) => {
    assert.ok(RpcError.is(error));
    assert.deepEqual([error.code, error.message, error.data], [1001, "taken", { until: "15:00" }]);
    return true;
  });
  await assert.rejects(ours.request("nothing"), { code: METHOD_NOT_FOUND });
  await end();
});

test("we cancel a call to vscode-jsonrpc, and its handler hears of it", async () => {
  const { ours, theirs, end } = await joined();
  const controller = new AbortController();
  const cancelled = new Promise<void>((resolve) => {
    theirs.onRequest("wait", (token) => {
      token.onCancellationRequested(() => resolve());
      // Not before: it doesn't call the handler of a request whose cancellation it has read already.
      controller.abort();
      return new Promise(() => {});
    });
  });
  theirs.listen();
  await assert.rejects(ours.request("wait", undefined, { signal: controller.signal }), AbortError);
  await cancelled;
  await end();
});

test("vscode-jsonrpc reports progress to us", async () => {
  const { ours, theirs, end } = await joined();
  theirs.onRequest("count", async (params: { workDoneToken: number; to: number }) => {
    for (let i = 1; i <= params.to; i++) await theirs.sendProgress(new ProgressType<number>(), params.workDoneToken, i);
    return "done";
  });
  theirs.listen();
  const values: unknown[] = [];
  const result = await ours.request(
    "count",
    { to: 3 },
    { onProgress: (params) => values.push((params as { value: number }).value) },
  );
  assert.deepEqual([result, values], ["done", [1, 2, 3]]);
  await end();
});

test("vscode-jsonrpc ends the connection: our calls reject, its close is heard", async () => {
  const { ours, theirs, end } = await joined();
  theirs.onRequest("wait", () => new Promise(() => {}));
  theirs.listen();
  const call = assert.rejects(ours.request("wait"), /the connection has ended/);
  theirs.end();
  await call;
  await ours.closed;
  await end();
});
