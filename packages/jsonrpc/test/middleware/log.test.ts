import assert from "node:assert/strict";
import { test } from "node:test";
import { RpcError, createPeer, implement, memoryPair } from "@x/jsonrpc";
import { type LogOptions, type LogRecord, type Logger, deduplicate, log, timeLimit } from "@x/jsonrpc/middleware";
import { join as joinFarEnd, notification, request, settled, success } from "../far-end.ts";
import { join } from "./joined.ts";

type Entry = LogRecord & { readonly level: keyof Logger };

/** A logger that keeps its records, and their level. */
function keeper(entries: Entry[]): Logger {
  const at = (level: keyof Logger) => (record: LogRecord) => entries.push({ ...record, level });
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

const handlers = {
  add: ([a, b]: [number, number]) => a + b,
  take() {
    throw new RpcError(1001, "taken", { until: "12:00" });
  },
  async crash() {
    throw new TypeError("secret");
  },
  wait: (_: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
};

function logging(options?: LogOptions) {
  const entries: Entry[] = [];
  const service = implement(handlers).use(log(keeper(entries), options));
  return { entries, ...joinFarEnd({ service }) };
}

/** Without the duration, which is checked for its form. */
function timeless({ duration, ...rest }: Entry): Omit<Entry, "duration"> {
  assert.ok(duration >= 0 && Number.isFinite(duration));
  assert.ok(String(duration).length <= 10, String(duration));
  return rest;
}

test("M12: one record for each incoming call, with a level for how it ended", async () => {
  const { entries, peer, far } = logging();
  await far.ask(request(1, "add", [1, 2]));
  await far.ask(request("b", "take"));
  await far.ask(request(3, "crash"));
  await far.ask(request(null, "unknown"));
  far.send(notification("add", [1, 2]));
  await settled();
  assert.deepEqual(entries.map(timeless), [
    { level: "info", direction: "in", id: 1, method: "add", outcome: "ok" },
    { level: "warn", direction: "in", id: "b", method: "take", outcome: "error", code: 1001, error: "RpcError: taken" },
    {
      level: "error",
      direction: "in",
      id: 3,
      method: "crash",
      outcome: "error",
      code: -32603,
      error: "TypeError: secret",
    },
    {
      level: "warn",
      direction: "in",
      id: null,
      method: "unknown",
      outcome: "error",
      code: -32601,
      error: 'RpcError: Method not found: "unknown"',
    },
    { level: "info", direction: "in", method: "add", outcome: "ok" },
  ]);
  await peer.close();
});

test("M12: outgoing calls too: an error that came back, and one that didn't", async () => {
  const entries: Entry[] = [];
  const { client, server } = join(implement(handlers));
  client.use(log(keeper(entries)));
  await client.request("add", [1, 2]);
  await assert.rejects(client.request("take"));
  await assert.rejects(client.request("wait", undefined, { timeout: 10 }));
  await assert.rejects(client.request("wait", undefined, { signal: AbortSignal.timeout(10) }));
  assert.deepEqual(entries.map(timeless), [
    { level: "info", direction: "out", id: 1, method: "add", outcome: "ok" },
    { level: "warn", direction: "out", id: 2, method: "take", outcome: "error", code: 1001, error: "RpcError: taken" },
    {
      level: "error",
      direction: "out",
      id: 3,
      method: "wait",
      outcome: "error",
      error: 'TimeoutError: No answer to "wait" within 10 ms',
    },
    {
      level: "info",
      direction: "out",
      id: 4,
      method: "wait",
      outcome: "cancelled",
      error: 'AbortError: "wait" was aborted',
    },
  ]);
  await client.close();
  await server.close();
});

test("a call that ends with its connection was cancelled; one over a time limit was not", async () => {
  const entries: Entry[] = [];
  const service = implement(handlers).use(log(keeper(entries)), timeLimit(10));
  const [near, far] = memoryPair();
  const peer = service.connect(far);
  const client = createPeer(near);
  await assert.rejects(client.request("wait"), { code: -32000 });
  client.request("wait").catch(() => {});
  await settled();
  await peer.close();
  await settled();
  assert.deepEqual(
    entries.map(({ outcome, level }) => [outcome, level]),
    [
      ["error", "warn"],
      ["cancelled", "info"],
    ],
  );
  await client.close();
});

test("parameters only if asked for, covered by path", async () => {
  const params = {
    user: { name: "ann", password: "p" },
    cards: [{ number: "1", of: "ann" }, { number: "2" }, null],
    "": 1,
  };
  const plain = logging();
  await plain.far.ask(request(1, "unknown", params));
  assert.ok(!("params" in plain.entries[0]!));
  await plain.peer.close();

  const { entries, far, peer } = logging({
    params: true,
    redact: ["user.password", "cards.*.number", "none.at.all", "user.name.first", "length"],
  });
  await far.ask(request(1, "unknown", params));
  assert.deepEqual(entries[0]?.params, {
    user: { name: "ann", password: "[redacted]" },
    cards: [{ number: "[redacted]", of: "ann" }, { number: "[redacted]" }, null],
    "": 1,
  });
  await peer.close();
});

test("parameters by position are covered by their index, and nothing is changed", async () => {
  let seen: unknown;
  const entries: Entry[] = [];
  const service = implement<{ login(params: string[]): void }>({
    login(params) {
      seen = params;
    },
  }).use(log(keeper(entries), { params: true, redact: ["1", "length"] }));
  const { far, peer } = joinFarEnd({ service });
  await far.ask(request(1, "login", ["ann", "p"]));
  assert.deepEqual(entries[0]?.params, ["ann", "[redacted]"]);
  assert.deepEqual(seen, ["ann", "p"]);
  await peer.close();
});

test("an own member called __proto__ is covered like any other", async () => {
  const { entries, far, peer } = logging({ params: true, redact: ["__proto__.secret"] });
  await far.ask(request(1, "unknown", JSON.parse('{"__proto__":{"secret":1}}')));
  assert.equal(JSON.stringify(entries[0]?.params), '{"__proto__":{"secret":"[redacted]"}}');
  await peer.close();
});

test("sizes if asked for", async () => {
  const { entries, far, peer } = logging({ sizes: true });
  await far.ask(request(1, "add", [1, 2]));
  await far.ask(request(2, "take"));
  assert.equal(entries[0]?.paramsSize, "[1,2]".length);
  assert.equal(entries[0]?.resultSize, 1);
  assert.ok(!("paramsSize" in entries[1]!) && !("resultSize" in entries[1]!));
  await peer.close();
});

test("what can't be sent has no size, and is logged all the same", async () => {
  const entries: Entry[] = [];
  const service = implement({ big: () => 1n }, { onError: () => {} }).use(log(keeper(entries), { sizes: true }));
  await service.handle(JSON.stringify(request(1, "big")));
  assert.deepEqual(
    entries.map(({ method, resultSize }) => [method, resultSize]),
    [["big", undefined]],
  );
});

test("levels of one's own", async () => {
  const { entries, far, peer } = logging({ level: ({ outcome }) => (outcome === "ok" ? "debug" : "error") });
  await far.ask(request(1, "add", [1, 2]));
  await far.ask(request(2, "take"));
  assert.deepEqual(
    entries.map(({ level }) => level),
    ["debug", "error"],
  );
  await peer.close();
});

const broken = (): never => {
  throw new Error("disk full");
};

test("a logger that throws does not disturb the call, nor does an error that can't be put into words", async () => {
  const service = implement({ add: () => 3, odd: () => Promise.reject(Object.create(null)) }).use(
    log({ debug: broken, info: broken, warn: broken, error: broken }),
  );
  const { far, peer } = joinFarEnd({ service });
  assert.deepEqual(await far.ask(request(1, "add")), success(1, 3));
  assert.equal(((await far.ask(request(2, "odd"))) as { error: { code: number } }).error.code, -32603);
  await peer.close();
});

const rejects = async (): Promise<never> => broken();

test("nor does a logger that rejects", async () => {
  const service = implement({ add: () => 3, later: async () => 4 }).use(
    log({ debug: rejects, info: rejects, warn: rejects, error: rejects }),
  );
  const { far, peer } = joinFarEnd({ service });
  assert.deepEqual(await far.ask(request(1, "add")), success(1, 3));
  assert.deepEqual(await far.ask(request(2, "later")), success(2, 4));
  await settled();
  await peer.close();
});

test("what other middleware notes as trace id is in the record, wherever it stands", async () => {
  const entries: Entry[] = [];
  const service = implement({ add: () => 3 }).use(log(keeper(entries)), (call, next) => {
    call.state["traceId"] = "t1";
    return next();
  });
  const { far, peer } = joinFarEnd({ service });
  await far.ask(request(1, "add"));
  assert.equal(entries[0]?.traceId, "t1");
  await peer.close();
});

test("a repetition is a call of its own in the log", async () => {
  const entries: Entry[] = [];
  const service = implement({ add: () => 3 }).use(log(keeper(entries)), deduplicate());
  const { far, peer } = joinFarEnd({ service });
  await far.ask(request(1, "add"));
  await far.ask(request(1, "add"));
  assert.deepEqual(
    entries.map(({ id }) => id),
    [1, 1],
  );
  await peer.close();
});

test("a handler that answers at once is not made to wait", async () => {
  const { client, server, outcomes } = join(implement({ ping: () => "pong" }).use(log(keeper([]))));
  await client.request("ping");
  assert.deepEqual(outcomes, ["pong"]);
  await client.close();
  await server.close();
});
