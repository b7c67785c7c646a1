import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import {
  ClosedError,
  type Context,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  SERVER_ERROR,
  base,
  implement,
} from "@x/jsonrpc";
import { codeOf, failure, notification, request, settled, success } from "./far-end.ts";

const heard: unknown[] = [];
const service = implement(
  {
    add: ([a, b]: [number, number]) => a + b,
    later: async ([ms]: [unknown]) => {
      await settled();
      return ms;
    },
    hear: async (params: unknown) => {
      await settled();
      heard.push(params);
    },
    big: () => 1n,
    info: (_: unknown, { info }: Context) => info,
    back: (_: unknown, context: Context) => context.request("anything"),
    note: (_: unknown, context: Context) => context.notify("anything"),
    connection: (_: unknown, { connection }: Context) => connection === undefined,
    wait: (_: unknown, { signal }: Context) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
  },
  { onError: () => {} },
);

const ask = async (message: unknown): Promise<unknown> => {
  const answer = await service.handle(JSON.stringify(message));
  return answer === undefined ? undefined : JSON.parse(answer);
};

test("one text in, one text out", async () => {
  assert.equal(
    await service.handle('{"jsonrpc":"2.0","id":1,"method":"add","params":[1,2]}'),
    '{"jsonrpc":"2.0","id":1,"result":3}',
  );
  assert.deepEqual(await ask(request("x", "later", [5])), success("x", 5));
});

test("a carrier that throws when it is answered keeps no place from others (done of answer)", async () => {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(String(error));
  const one = implement({ now: () => 1, later: async () => await settled() }, { concurrency: 1, onError });
  let done = 0;
  const broken = (): never => {
    done++;
    throw new Error("The headers are out");
  };
  for (const method of ["later", "now", "now"]) one.answer(JSON.stringify(request(1, method)), undefined, broken);
  assert.equal(await one.handle(JSON.stringify(request(2, "now"))), '{"jsonrpc":"2.0","id":2,"result":1}');
  assert.deepEqual([done, errors], [3, Array(3).fill("Error: The headers are out")]);
});

test("many calls under one signal add one listener to it", async () => {
  const stop = new AbortController();
  const calls = [1, 2, 3].map((id) => service.handle(JSON.stringify(request(id, "wait")), undefined, stop.signal));
  assert.equal(getEventListeners(stop.signal, "abort").length, 1);
  stop.abort();
  assert.equal((await Promise.all(calls)).length, 3);
  assert.equal(getEventListeners(stop.signal, "abort").length, 0);
});

test("batches, invalid members, nothing for notifications", async () => {
  assert.deepEqual(await ask([request(1, "later", [1]), notification("hear", [0]), request(2, "add", [1, 2])]), [
    success(2, 3),
    success(1, 1),
  ]);
  assert.equal(codeOf(await ask([])), INVALID_REQUEST);
  assert.deepEqual(((await ask([1, 2])) as unknown[]).map(codeOf), [INVALID_REQUEST, INVALID_REQUEST]);
  assert.equal(await ask([notification("hear", [1]), notification("unknown")]), undefined);
  assert.equal(await ask(notification("unknown")), undefined);
});

test("it resolves when notifications have been handled", async () => {
  heard.length = 0;
  assert.equal(await ask(notification("hear", ["n"])), undefined);
  assert.deepEqual(heard, [["n"]]);
});

test("text that is no JSON, and no message", async () => {
  assert.equal(codeOf(JSON.parse((await service.handle("{")) ?? "")), PARSE_ERROR);
  assert.equal(codeOf(await ask({ id: 1 })), INVALID_REQUEST);
  assert.equal(codeOf(await ask(request(1, "nowhere"))), METHOD_NOT_FOUND);
});

test("responses have nobody to go to and are not answered", async () => {
  assert.equal(await ask(success(1, 1)), undefined);
  assert.equal(await ask([success(1, 1), failure(2, 1)]), undefined);
  assert.equal(await ask({ jsonrpc: "2.0", id: 1, result: 1, error: { code: 1, message: "m" } }), undefined);
});

test("a result that can't be serialised is -32603, alone and in a batch", async () => {
  const fault = failure(1, -32603, "Internal error");
  assert.deepEqual(await ask(request(1, "big")), fault);
  assert.deepEqual(await ask([request(1, "big"), request(2, "add", [1, 1])]), [fault, success(2, 2)]);
});

test("answer gives values in the same turn, and what aborts the handlers", async () => {
  const answers: unknown[] = [];
  const done = (answer: string | undefined): void => void answers.push(answer && JSON.parse(answer));
  service.answer(JSON.stringify(request(1, "add", [1, 2])), undefined, done);
  service.answer(JSON.stringify(notification("add", [1, 2])), undefined, done);
  assert.deepEqual(answers.splice(0), [success(1, 3), undefined]);
  const abort = service.answer(JSON.stringify(request(2, "wait")), undefined, done);
  assert.deepEqual(answers, []);
  abort(new Error("enough"));
  await settled();
  assert.deepEqual(answers.map(codeOf), [SERVER_ERROR]);
});

test("info is the context's", async () => {
  const answer = await service.handle(JSON.stringify(request(1, "info")), { headers: { a: "b" } });
  assert.deepEqual(JSON.parse(answer ?? ""), success(1, { headers: { a: "b" } }));
});

test("a handler can't call back where the carrier only takes the answer", async () => {
  assert.equal(codeOf(await ask(request(1, "back"))), -32603);
  assert.equal(codeOf(await ask(request(1, "note"))), -32603);
  assert.deepEqual(await ask(request(1, "connection")), success(1, true));
  const errors: unknown[] = [];
  const strict = implement(
    { back: (_: unknown, context: Context) => context.request("anything") },
    { onError: (error) => errors.push(error) },
  );
  await strict.handle(JSON.stringify(request(1, "back")));
  assert.ok(errors[0] instanceof ClosedError && !errors[0].sent);
  assert.match(errors[0].message, /"anything" was not sent: this carrier only takes the answer back/);
});

test("D01: exchanges at the same time may use the same id; within one exchange it is refused", async () => {
  assert.deepEqual(await Promise.all([ask(request(1, "later", ["a"])), ask(request(1, "later", ["b"]))]), [
    success(1, "a"),
    success(1, "b"),
  ]);
  const answers = (await ask([request(1, "later", ["a"]), request(1, "later", ["b"])])) as unknown[];
  assert.deepEqual(answers.map(codeOf), [INVALID_REQUEST, undefined]);
});

test("one exchange can't cancel another's call, only its own", async () => {
  const cancelling = implement(
    {
      later: async () => {
        await settled();
        return "done";
      },
    },
    {
      profile: {
        ...base,
        cancel: { method: "cancel", params: (id) => [id], id: (params) => (params as unknown as [number])[0] },
      },
    },
  );
  const handle = async (message: unknown): Promise<unknown> => cancelling.handle(JSON.stringify(message));
  const call = handle(request(1, "later"));
  assert.equal(await handle(notification("cancel", [1])), undefined);
  assert.equal(await call, '{"jsonrpc":"2.0","id":1,"result":"done"}');
  assert.equal(await handle([request(1, "later"), notification("cancel", [1])]), undefined);
});

test("the limits hold for all exchanges together", async () => {
  const started: number[] = [];
  const limited = implement(
    {
      run: async ([n]: [number]) => {
        started.push(n);
        await settled();
        return n;
      },
    },
    { concurrency: 1, queue: 1, maxBatch: 2 },
  );
  const handle = async (message: unknown): Promise<unknown> =>
    JSON.parse((await limited.handle(JSON.stringify(message))) ?? "");
  const calls = [1, 2, 3].map((n) => handle(request(n, "run", [n])));
  assert.deepEqual(started, [1]);
  assert.equal(codeOf(await calls[2]), SERVER_ERROR);
  assert.deepEqual(await Promise.all(calls.slice(0, 2)), [success(1, 1), success(2, 2)]);
  assert.deepEqual(started, [1, 2]);
  assert.deepEqual(await handle([request(1, "run", [1]), request(2, "run", [2])]), [success(1, 1), success(2, 2)]);
  assert.equal(codeOf(await handle([1, 2, 3].map((n) => request(n, "run", [n])))), INVALID_REQUEST);
});

test("the signal aborts the handlers; what waits never starts; the listener goes with the exchange", async () => {
  const abort = new AbortController();
  const started: unknown[] = [];
  const one = implement(
    {
      wait: ([n]: [number], { signal }: Context) => {
        started.push(n);
        return new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason as Error)),
        );
      },
    },
    { concurrency: 1 },
  );
  const batch = [request(1, "wait", [1]), request(2, "wait", [2])];
  const answer = one.handle(JSON.stringify(batch), undefined, abort.signal);
  abort.abort(new Error("the client has gone"));
  const answers = JSON.parse((await answer) ?? "") as { id: number }[];
  assert.deepEqual(answers.map(codeOf), [SERVER_ERROR, SERVER_ERROR]);
  assert.deepEqual(started, [1]);
  assert.equal(getEventListeners(abort.signal, "abort").length, 0);
  const again = await one.handle(JSON.stringify(request(3, "wait", [3])), undefined, abort.signal);
  assert.equal(codeOf(JSON.parse(again ?? "")), SERVER_ERROR);
});

test("a thousand exchanges on one signal leave no listener, whether they are answered at once or later", async () => {
  const { signal } = new AbortController();
  for (let n = 0; n < 500; n++)
    await Promise.all(
      ["add", "later"].map((method) => service.handle(JSON.stringify(request(n, method, [n, 1])), undefined, signal)),
    );
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("middleware added later counts for exchanges and connections alike", async () => {
  const growing = implement({ a: () => 1 });
  assert.equal(await growing.handle(JSON.stringify(request(1, "a"))), '{"jsonrpc":"2.0","id":1,"result":1}');
  growing.use(() => 2);
  assert.equal(await growing.handle(JSON.stringify(request(1, "a"))), '{"jsonrpc":"2.0","id":1,"result":2}');
});

test("only the table's own members are methods", async () => {
  const table = Object.assign(Object.create({ inherited: () => 1 }) as object, { own: () => 2 });
  const strict = implement(table);
  const handle = async (method: string): Promise<unknown> =>
    JSON.parse((await strict.handle(JSON.stringify(request(1, method)))) ?? "");
  assert.deepEqual(await handle("own"), success(1, 2));
  for (const method of ["inherited", "toString", "__proto__", "constructor"])
    assert.equal(codeOf(await handle(method)), METHOD_NOT_FOUND);
});
