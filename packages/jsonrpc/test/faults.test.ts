import assert from "node:assert/strict";
import { test } from "node:test";
import { INTERNAL_ERROR, RpcError, implement } from "@x/jsonrpc";
import { HandMade } from "./hand-made.ts";
import { failure, join, notification, request, settled, success } from "./far-end.ts";

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;
const thenable = {
  // oxlint-disable-next-line unicorn/no-thenable
  then() {
    throw new Error("a broken thenable");
  },
};
/* oxlint-disable typescript/only-throw-error -- that is what is tested */
const throwing: { readonly [what: string]: () => unknown } = {
  "an error": () => {
    throw new Error("secret");
  },
  "a text": () => {
    throw "secret";
  },
  undefined: () => {
    throw undefined;
  },
  null: () => {
    throw null;
  },
  "a cyclic object": () => {
    throw cyclic;
  },
  "an error with a code and data, which is no RpcError": () => {
    throw Object.assign(new Error("secret"), { code: 42, data: "secret" });
  },
};
/* oxlint-enable typescript/only-throw-error */
const returning: { readonly [what: string]: () => unknown } = {
  "a BigInt": () => 1n,
  "a BigInt inside": () => ({ deep: [1n] }),
  "a function": () => () => 1,
  "a symbol": () => Symbol("s"),
  "a cyclic object": () => cyclic,
  "an object whose toJSON throws": () => ({
    toJSON() {
      throw new Error("secret");
    },
  }),
  "an object whose toJSON gives undefined": () => ({ toJSON: () => undefined }),
  "a thenable that throws": () => thenable,
};

const later = (handler: () => unknown) => async (): Promise<unknown> => {
  await settled();
  return handler();
};

for (const [kind, table] of [
  ["throws", throwing],
  ["returns", returning],
] as const)
  for (const [what, handler] of Object.entries(table))
    test(`a handler that ${kind} ${what} is answered with -32603 and a fixed text; the cause is reported`, async () => {
      const service = implement({ now: handler, later: later(handler), ping: () => "pong" });
      const { far, reports, peer } = join({ service });
      for (const [id, method] of ["now", "later"].entries()) {
        const answer = await far.ask(request(id, method));
        assert.deepEqual(answer, failure(id, INTERNAL_ERROR, "Internal error"));
        assert.ok(!JSON.stringify(answer).includes("secret"));
      }
      assert.deepEqual(
        reports.map(({ origin }) => origin),
        ["handler", "handler"],
      );
      assert.deepEqual(await far.ask(request(2, "ping")), success(2, "pong"));
      await peer.close();
    });

test("an RpcError's data that can't be serialised is left out, code and message are not", async () => {
  const service = implement({
    taken: () => {
      throw new RpcError(1001, "taken", { until: 10n });
    },
  });
  const { far, reports } = join({ service });
  assert.deepEqual(await far.ask(request(1, "taken")), failure(1, 1001, "taken"));
  assert.equal(reports.length, 1);
});

test("an error hook that throws itself harms nothing", async (t) => {
  const printed = t.mock.method(console, "error", () => {});
  const service = implement({
    boom: () => {
      throw new Error("boom");
    },
  });
  const { far } = join({
    service,
    onError: () => {
      throw new Error("the hook");
    },
  });
  far.send("nonsense");
  assert.ok(await far.next());
  assert.deepEqual(await far.ask(request(1, "boom")), failure(1, INTERNAL_ERROR, "Internal error"));
  assert.equal(printed.mock.callCount(), 2);
});

test("without a hook a handler's error is printed and what the other side does wrong is not", async (t) => {
  const printed = t.mock.method(console, "error", () => {});
  const boom = new Error("boom");
  const service = implement({
    boom: () => {
      throw boom;
    },
    known: () => {
      throw new RpcError(1, "known");
    },
  });
  const { far, peer } = join({ service, onError: undefined });
  far.send("nonsense");
  far.send(success("unknown", 1));
  await far.ask(request(1, "known"));
  await far.ask(request(2, "boom"));
  far.send(notification("boom"));
  await settled();
  assert.deepEqual(
    printed.mock.calls.map((call) => call.arguments[0]),
    [boom, boom],
  );
  await peer.close();
});

test("a transport that throws for an answer, whatever it is, is reported and harms no other call", async () => {
  let broken = true;
  const transport = new HandMade(() => {
    if (broken) throw new Error("cut");
  });
  const reports: string[] = [];
  const service = implement({ ping: () => "pong", later: () => settled() });
  service.connect(transport, { onError: (_error, origin) => reports.push(origin) });
  transport.receive(request(1, "ping"));
  transport.receive([request(2, "ping"), request(3, "later")]);
  await settled();
  await settled();
  assert.deepEqual(reports, ["transport", "transport"]);
  broken = false;
  transport.receive(request(1, "ping"));
  assert.deepEqual(transport.sent, [success(1, "pong")]);
});

test("answers that are lost for one reason are reported once, for another again", async () => {
  const [cut, full] = [new Error("cut"), new Error("full")];
  let reason = cut;
  const transport = new HandMade(() => Promise.reject(reason));
  const reports: unknown[] = [];
  implement({ ping: () => "pong" }).connect(transport, { onError: (error) => reports.push(error) });
  for (let id = 1; id <= 3; id++) transport.receive(request(id, "ping"));
  await settled();
  reason = full;
  transport.receive(request(4, "ping"));
  await settled();
  assert.deepEqual(reports, [cut, full]);
});
