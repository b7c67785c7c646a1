// json-rpc-2.0 at the other end of a socket, in both roles at once. It leaves the wire to its user.
import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { METHOD_NOT_FOUND, type Peer, RpcError } from "@x/jsonrpc";
import { streamTransport } from "@x/transport-stdio";
import { JSONRPCClient, JSONRPCErrorException, JSONRPCServer, JSONRPCServerAndClient } from "json-rpc-2.0";
import { socketPair } from "../sockets.ts";
import { type Math, math } from "./math.ts";

async function joined(): Promise<{ ours: Peer<Math>; theirs: JSONRPCServerAndClient; end: () => Promise<void> }> {
  const [a, b] = await socketPair();
  const ours = math().connect<Math>(streamTransport(a, a));
  const theirs = new JSONRPCServerAndClient(
    new JSONRPCServer({ errorListener: () => {} }),
    new JSONRPCClient((payload) => void b.write(`${JSON.stringify(payload)}\n`)),
    { errorListener: () => {} },
  );
  createInterface({ input: b }).on("line", (line) => void theirs.receiveAndSend(JSON.parse(line)));
  let noted = 0;
  theirs.addMethod("subtract", (params: readonly number[] | { minuend: number; subtrahend: number }) =>
    "minuend" in params ? params.minuend - params.subtrahend : (params[0] ?? 0) - (params[1] ?? 0),
  );
  theirs.addMethod("fail", () => {
    throw new JSONRPCErrorException("taken", 1001, { until: "15:00" });
  });
  theirs.addMethod("note", () => void noted++);
  theirs.addMethod("noted", () => noted);
  return {
    ours,
    theirs,
    async end() {
      await ours.close();
      b.destroy();
    },
  };
}

test("json-rpc-2.0 calls us", async () => {
  const { theirs, end } = await joined();
  assert.equal(await theirs.request("subtract", [42, 23]), 19);
  assert.equal(await theirs.request("subtract", { minuend: 42, subtrahend: 23 }), 19);
  theirs.notify("note", undefined);
  assert.equal(await theirs.request("noted", undefined), 1);
  await assert.rejects(
    async () => theirs.request("fail", undefined),
    (error) => {
      assert.ok(error instanceof JSONRPCErrorException);
      assert.deepEqual([error.code, error.message, error.data], [1001, "taken", { until: "15:00" }]);
      return true;
    },
  );
  await assert.rejects(async () => theirs.request("nothing", undefined), { code: METHOD_NOT_FOUND });
  const replies = await theirs.client.requestAdvanced([
    { jsonrpc: "2.0", id: 101, method: "subtract", params: [3, 1] },
    { jsonrpc: "2.0", id: 102, method: "nothing" },
  ]);
  assert.deepEqual(
    replies.map(({ id, result, error }) => [id, result ?? error?.code]),
    [
      [101, 2],
      [102, METHOD_NOT_FOUND],
    ],
  );
  await end();
});

test("we call json-rpc-2.0", async () => {
  const { ours, end } = await joined();
  assert.equal(await ours.request("subtract", [42, 23]), 19);
  assert.equal(await ours.request("subtract", { minuend: 42, subtrahend: 23 }), 19);
  await ours.notify("note");
  assert.equal(await ours.request("noted"), 1);
  await assert.rejects(ours.request("fail"), (error) => {
    assert.ok(RpcError.is(error));
    assert.deepEqual([error.code, error.message, error.data], [1001, "taken", { until: "15:00" }]);
    return true;
  });
  await assert.rejects(ours.request("nothing" as never), { code: METHOD_NOT_FOUND });
  assert.deepEqual(
    await ours.batch((batch) => [batch.request("subtract", [5, 3]), batch.request("subtract", [9, 1])]),
    [2, 8],
  );
  await end();
});
