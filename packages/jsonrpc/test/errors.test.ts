import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AbortError,
  ClosedError,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  InvalidResponseError,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  RpcError,
  SERVER_ERROR,
  TimeoutError,
  createPeer,
  errorType,
  implement,
  layerOf,
  memoryPair,
} from "@x/jsonrpc";
import { failure, join, settled } from "./far-end.ts";

class RoomTaken extends errorType<{ readonly until: string }>(1001, "The room is taken") {}
class Closed extends errorType(1002, "The office is closed") {}

test("the standard codes", () => {
  assert.deepEqual(
    [PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR, SERVER_ERROR],
    [-32700, -32600, -32601, -32602, -32603, -32000],
  );
});

test("a code's layer", () => {
  const protocol = [-32768, -32700, -32603, -32602, -32601, -32600];
  const infrastructure = [-32099, -32050, -32000];
  const application = [-32769, -32599, -32100, -31999, -1, 0, 1, 1001, 2 ** 31];
  for (const code of protocol) assert.equal(layerOf(code), "protocol", `${code}`);
  for (const code of infrastructure) assert.equal(layerOf(code), "infrastructure", `${code}`);
  for (const code of application) assert.equal(layerOf(code), "application", `${code}`);
});

test("an error type has its code, its text, typed data and its class's name", () => {
  const error = new RoomTaken({ until: "15:00" });
  assert.deepEqual(
    [error.code, error.message, error.data.until, error.name],
    [1001, "The room is taken", "15:00", "RoomTaken"],
  );
  assert.ok(error instanceof RoomTaken && error instanceof RpcError && error instanceof Error);
  assert.equal(RoomTaken.code, 1001);
  assert.equal(new RoomTaken({ until: "15:00" }, "A301 is taken").message, "A301 is taken");
  assert.equal(new Closed().data, undefined);
});

test("a registered error arrives as its class, others as RpcError", async () => {
  const [a, b] = memoryPair();
  implement({
    book: () => {
      throw new RoomTaken({ until: "15:00" }, "A301 is taken");
    },
    enter: () => {
      throw new Closed();
    },
  }).connect(a);
  const peer = createPeer(b, { errors: [RoomTaken] });
  await assert.rejects(peer.request("book"), (error) => {
    assert.ok(error instanceof RoomTaken);
    assert.deepEqual([error.message, error.data], ["A301 is taken", { until: "15:00" }]);
    return true;
  });
  await assert.rejects(peer.request("enter"), (error) => {
    assert.ok(error instanceof RpcError && !(error instanceof Closed));
    assert.equal(error.code, 1002);
    return true;
  });
  await peer.close();
});

test("a class that can't be made of the data that came leaves a plain RpcError, and the peer lives", async () => {
  class Picky extends errorType<{ readonly until: string }>(1001, "taken") {
    readonly hour: string;
    constructor(data: { readonly until: string }, message?: string) {
      super(data, message);
      this.hour = data.until.slice(0, 2);
    }
  }
  const { peer, far } = join({ errors: [Picky] });
  for (const data of [undefined, null, 5, { until: "15:00" }]) {
    const call = peer.request("book");
    const { id } = await far.request();
    far.send({ jsonrpc: "2.0", id, error: { code: 1001, message: "m", data } });
    await assert.rejects(call, (error) => {
      assert.ok(RpcError.is(error));
      assert.deepEqual([error.code, error.message], [1001, "m"]);
      return typeof data === "object" && data ? error instanceof Picky : !(error instanceof Picky);
    });
  }
});

test("M02: RpcError.is knows the errors of another copy of the package, where instanceof doesn't", async () => {
  const copy = (await import(new URL("../src/errors.ts?copy", import.meta.url).href)) as {
    readonly RpcError: typeof RpcError;
    readonly errorType: typeof errorType;
  };
  assert.notEqual(copy.RpcError, RpcError);
  class Theirs extends copy.errorType<number>(7, "theirs") {}
  const error = new Theirs(1);
  assert.ok(!(error instanceof RpcError));
  assert.ok(RpcError.is(error) && copy.RpcError.is(new RpcError(1, "x")));
  const { far } = join({
    service: implement({
      rejects: () => Promise.reject(error),
    }),
  });
  assert.deepEqual(await far.ask({ jsonrpc: "2.0", id: 1, method: "rejects" }), {
    jsonrpc: "2.0",
    id: 1,
    error: { code: 7, message: "theirs", data: 1 },
  });
});

test("RpcError.is refuses look-alikes", () => {
  for (const other of [undefined, null, 1, "RpcError", {}, new Error("x"), { code: 1, message: "x" }, () => {}])
    assert.equal(RpcError.is(other), false);
});

test("an RpcError shows its code and data, not its brand", () => {
  assert.deepEqual(Object.keys(new RpcError(1, "m", { a: 1 })).sort(), ["code", "data", "name"]);
});

test("local errors have no code, so that they can't be taken for the other side's", () => {
  const local = [
    new TimeoutError("m", 1),
    new AbortError("m"),
    new ClosedError("m", { sent: false }),
    new InvalidResponseError("m", 1),
  ];
  for (const error of local) assert.ok(!("code" in error) && !RpcError.is(error) && error instanceof Error);
  assert.deepEqual(
    local.map(({ name }) => name),
    ["TimeoutError", "AbortError", "ClosedError", "InvalidResponseError"],
  );
});

test("a handler's local errors don't cross the wire: a call of its own that timed out is -32603", async () => {
  const service = implement({
    proxy: () => {
      throw new TimeoutError("inner secret", 5);
    },
  });
  const { far, reports } = join({ service });
  assert.deepEqual(
    await far.ask({ jsonrpc: "2.0", id: 1, method: "proxy" }),
    failure(1, INTERNAL_ERROR, "Internal error"),
  );
  await settled();
  assert.ok(reports[0]?.error instanceof TimeoutError);
});

test("the cause stays here", async () => {
  const service = implement({
    book: () => {
      throw new RpcError(1, "no", undefined, { cause: new Error("secret") });
    },
  });
  const { far } = join({ service });
  assert.deepEqual(await far.ask({ jsonrpc: "2.0", id: 1, method: "book" }), failure(1, 1, "no"));
});
