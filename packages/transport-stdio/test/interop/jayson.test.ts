// jayson at the other end of a socket. It speaks newline-delimited JSON over TCP, a connection for each call.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { METHOD_NOT_FOUND, RpcError, createPeer } from "@x/jsonrpc";
import { streamTransport } from "@x/transport-stdio";
import jayson from "jayson";
import jaysonPromise from "jayson/promise/index.js";
import { listening } from "../sockets.ts";
import { type Math, math } from "./math.ts";

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

test("jayson calls us", async () => {
  const service = math();
  const server = createServer((socket) => service.connect(streamTransport(socket, socket)));
  const client = jaysonPromise.Client.tcp({ port: await listening(server), host: "127.0.0.1" });
  const call = (method: string, params: object): Promise<Reply> => client.request(method, params);
  assert.equal((await call("subtract", [42, 23])).result, 19);
  assert.equal((await call("subtract", { minuend: 42, subtrahend: 23 })).result, 19);
  assert.deepEqual((await call("fail", [])).error, { code: 1001, message: "taken", data: { until: "15:00" } });
  assert.equal((await call("nothing", [])).error?.code, METHOD_NOT_FOUND);
  // A notification has a connection of its own: nothing says when it has been read.
  await client.request("note", [], null as never);
  while ((await call("noted", [])).result !== 1) await new Promise((resolve) => setTimeout(resolve, 5));
  const batch = [client.request("subtract", [3, 1], undefined, false), client.request("nothing", [], undefined, false)];
  const replies = (await client.request(batch as never)) as unknown as Reply[];
  assert.deepEqual(
    replies.map(({ result, error }) => result ?? error?.code),
    [2, METHOD_NOT_FOUND],
  );
  await once(server.close(), "close");
});

test("we call jayson", async () => {
  let noted = 0;
  type Done = (error: object | null, result?: unknown) => void;
  const server = new jayson.Server({
    subtract: (params: readonly number[] | { minuend: number; subtrahend: number }, done: Done) =>
      done(null, "minuend" in params ? params.minuend - params.subtrahend : (params[0] ?? 0) - (params[1] ?? 0)),
    fail: (_: unknown, done: Done) => done({ code: 1001, message: "taken", data: { until: "15:00" } }),
    note: (_: unknown, done: Done) => done(null, noted++),
    noted: (_: unknown, done: Done) => done(null, noted),
  }).tcp();
  const socket = connect(await listening(server), "127.0.0.1");
  const peer = createPeer<Math>(streamTransport(socket, socket));
  assert.equal(await peer.request("subtract", [42, 23]), 19);
  assert.equal(await peer.request("subtract", { minuend: 42, subtrahend: 23 }), 19);
  await peer.notify("note");
  assert.equal(await peer.request("noted"), 1);
  await assert.rejects(peer.request("fail"), (error) => {
    assert.ok(RpcError.is(error));
    assert.deepEqual([error.code, error.message, error.data], [1001, "taken", { until: "15:00" }]);
    return true;
  });
  assert.deepEqual(
    await peer.batch((batch) => [batch.request("subtract", [5, 3]), batch.request("subtract", [9, 1])]),
    [2, 8],
  );
  await peer.close();
  await once(server.close(), "close");
});
