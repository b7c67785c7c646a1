import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ClosedError,
  type Context,
  Exchange,
  type Message,
  type Batch,
  type SendOptions,
  implement,
} from "../src/index.ts";

/** An exchange, and all that was sent for it. */
function open(
  handlers: Record<string, (params: never, context: Context) => unknown>,
  onError: (error: unknown) => void = () => {},
) {
  const sent: { message: Message | Batch; cause: unknown }[] = [];
  const way = {
    send: (message: Message | Batch, options?: SendOptions): void => {
      JSON.stringify(message);
      sent.push({ message, cause: options?.cause });
    },
  };
  return { sent, exchange: new Exchange(way, { service: implement(handlers), onError }) };
}

const call = (id: number, method: string): Message => ({ jsonrpc: "2.0", id, method });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a value is answered in the same turn, and the handler has no connection", () => {
  const { sent, exchange } = open({
    where: (_params, { connection, info }) => ({ connection: typeof connection, info }),
  });
  exchange.receive(call(1, "where"), { principal: "alice" });
  assert.deepEqual(sent, [
    {
      message: { jsonrpc: "2.0", id: 1, result: { connection: "undefined", info: { principal: "alice" } } },
      cause: undefined,
    },
  ]);
});

test("notifications on behalf of a request come before its answer, and name it", async () => {
  const { sent, exchange } = open({
    work: async (_params, context) => {
      await context.notify("working");
      return "done";
    },
  });
  exchange.receive(call(7, "work"));
  await turn();
  assert.deepEqual(sent, [
    { message: { jsonrpc: "2.0", method: "working" }, cause: 7 },
    { message: { jsonrpc: "2.0", id: 7, result: "done" }, cause: undefined },
  ]);
});

test("a batch is answered by one array, a notification by silence", async () => {
  const { sent, exchange } = open({ one: () => 1, two: async () => 2 });
  exchange.receive([call(1, "one"), call(2, "two")]);
  await turn();
  assert.deepEqual(
    sent.map(({ message }) => message),
    [
      [
        { jsonrpc: "2.0", id: 1, result: 1 },
        { jsonrpc: "2.0", id: 2, result: 2 },
      ],
    ],
  );
  const other = open({ one: () => 1 });
  let silent = 0;
  other.exchange.receive({ jsonrpc: "2.0", method: "one" }, undefined, () => silent++);
  assert.equal(silent, 1);
  assert.deepEqual(other.sent, []);
});

test("who sent the message can't be asked, and the error says that nothing was sent", async () => {
  let error: unknown;
  const { exchange } = open({
    ask: async (_params, context) => {
      error = await context.request("name").catch((reason: unknown) => reason);
    },
  });
  exchange.receive(call(1, "ask"));
  await turn();
  assert.ok(error instanceof ClosedError);
  assert.equal(error.sent, false);
  assert.match(error.message, /"name" was not sent: this carrier only takes the answer back/);
});

test("closing aborts what is running, and nothing is sent any more", async () => {
  let aborted: unknown;
  let refused: unknown;
  const { sent, exchange } = open({
    wait: (_params, context) =>
      new Promise((resolve) => {
        context.signal.addEventListener("abort", () => {
          aborted = context.signal.reason;
          refused = context.notify("late").catch((reason: unknown) => reason);
          resolve("late");
        });
      }),
  });
  exchange.receive(call(1, "wait"));
  const reason = new Error("The client has gone");
  exchange.close(reason);
  await turn();
  assert.ok(aborted instanceof ClosedError);
  assert.equal(aborted.cause, reason);
  assert.ok((await refused) instanceof ClosedError);
  assert.deepEqual(sent, []);
});

test("a result that can't be serialised becomes an error under its id", async () => {
  const errors: unknown[] = [];
  const { sent, exchange } = open({ big: () => 1n }, (error) => errors.push(error));
  exchange.receive(call(3, "big"));
  await turn();
  assert.deepEqual(
    sent.map(({ message }) => message),
    [{ jsonrpc: "2.0", id: 3, error: { code: -32603, message: "Internal error" } }],
  );
  assert.equal(errors.length, 1);
});

test("a way that fails is reported, and the handler's notification rejects", async () => {
  const errors: unknown[] = [];
  let rejected: unknown;
  const fault = new Error("no way");
  const way = { send: (): Promise<void> => Promise.reject(fault) };
  const service = implement({
    work: async (_params: undefined, context: Context) => {
      rejected = await context.notify("working").catch((reason: unknown) => reason);
      return 1;
    },
  });
  new Exchange(way, { service, onError: (error) => errors.push(error) }).receive(call(1, "work"));
  await turn();
  assert.equal(rejected, fault);
  assert.deepEqual(errors, [fault]);
});
