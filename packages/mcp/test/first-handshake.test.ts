// What it takes to meet a client by a handshake is loaded with the first one of a process. A client that writes ahead
// must not notice. In memory all connections begin in the same turn, so that every one of them begins while it is loaded.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Message, type Transport, memoryPair } from "@x/jsonrpc";
import { type Eager, eager } from "./programs/eager.ts";
import { hello, stateless } from "./wire.ts";
import { until } from "./joined.ts";

type Id = number | string;
const request = (id: Id, method: string, params?: object): object => ({ jsonrpc: "2.0", id, method, params });
const note = (method: string, params?: object): object => ({ jsonrpc: "2.0", method, params });
const initialize = (protocolVersion: string): object => request(1, "initialize", { ...hello, protocolVersion });
const initialized = note("notifications/initialized");
const say = (id: Id, text: string): object => request(id, "tools/call", { name: "say", arguments: { text } });
const wait = (id: Id): object => request(id, "tools/call", { name: "wait" });

/** What a client writes in one go, what it hears, in order, and what the server does. */
interface Row {
  readonly name: string;
  readonly sends: readonly object[];
  /** Ids of results, of both members of a batch, or the codes of errors. */
  readonly hears: readonly (Id | readonly Id[] | { readonly code: number })[];
  readonly does?: readonly string[];
}

const rows: readonly Row[] = [
  {
    name: "initialize, notifications/initialized and calls",
    sends: [initialize("2025-11-25"), initialized, request(2, "tools/list"), say(3, "hi")],
    hears: [1, 2, 3],
    does: ["said hi"],
  },
  {
    name: "a ping before initialize",
    sends: [request(0, "ping"), initialize("2024-11-05"), initialized, say(2, "hi")],
    hears: [0, 1, 2],
  },
  {
    name: "a call that is cancelled, and one that is not (CANC-05)",
    sends: [
      initialize("2025-06-18"),
      initialized,
      wait(2),
      note("notifications/cancelled", { requestId: 2 }),
      say(3, "hi"),
    ],
    hears: [1, 3],
    does: ["waiting", "gave up", "said hi"],
  },
  {
    name: "a batch in 2025-03-26",
    sends: [initialize("2025-03-26"), initialized, [say(2, "hi"), say(3, "ho")]],
    hears: [1, [2, 3]],
    does: ["said hi", "said ho"],
  },
  {
    name: "a batch in a revision that has none",
    sends: [initialize("2025-11-25"), initialized, [say(2, "hi")], say(3, "ho")],
    hears: [1, { code: -32600 }, 3],
    does: ["said ho"],
  },
  {
    name: "a notification between calls",
    sends: [initialize("2025-11-25"), initialized, say(2, "hi"), note("com.example/mark"), say(3, "ho")],
    hears: [1, 2, 3],
    does: ["said hi", "marked", "said ho"],
  },
  {
    name: "calls before notifications/initialized, and before initialize",
    sends: [say(0, "hi"), initialize("2025-11-25"), say(2, "hi"), initialized, say(3, "hi")],
    hears: [{ code: -32602 }, 1, { code: -32600 }, 3],
    does: ["said hi"],
  },
  {
    name: "stateless calls on the same connection",
    sends: [
      request("a", "tools/call", stateless({ name: "say", arguments: { text: "a" } })),
      initialize("2025-11-25"),
      initialized,
      request("b", "tools/call", stateless({ name: "say", arguments: { text: "b" } })),
    ],
    hears: ["a", 1, "b"],
    does: ["said a", "said b"],
  },
];

type Answer = { readonly id: Id; readonly error?: { readonly code: number } };

const shown = (message: unknown): unknown => {
  if (Array.isArray(message)) return message.map(shown);
  const { id, error } = message as Answer;
  return error ? { code: error.code } : id;
};

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
};

interface Begun extends Eager {
  readonly row: Row;
  readonly received: unknown[];
}

describe("the first clients of a process that are met by a handshake", async () => {
  const begun = rows.map((row): Begun => {
    const [near, far] = memoryPair();
    const { server, done } = eager();
    server.connect(far, { onError: () => {} });
    const received: unknown[] = [];
    void near.open((message) => received.push(message));
    for (const message of row.sends) void near.send(message as Message);
    return { row, server, done, received };
  });
  const leaver = eager();
  const [near, far] = memoryPair();
  const connection = leaver.server.connect(far);
  for (const message of [initialize("2025-11-25"), initialized, say(2, "hi")]) void near.send(message as Message);
  const sync = joinedInOneTurn();
  const stuck = behindStuckInitialize();

  await turns(20);
  const early = begun.flatMap(({ received }) => received.map(shown));
  await connection.close();

  test("nothing but what is stateless is answered before it is loaded", () => assert.deepEqual(early, ["a"]));

  for (const { row, received, done } of begun)
    test(`in memory: ${row.name}`, async () => {
      await until(() => received.length >= row.hears.length);
      assert.deepEqual(received.map(shown), row.hears);
      if (row.does) assert.deepEqual(done, row.does);
    });

  test("in memory: what is sent in answer to an answer comes after what was sent before it", async () => {
    await until(() => sync.received.length >= 4);
    assert.deepEqual(sync.received.map(shown), [1, 2, 3, 4]);
  });

  test("in memory: what waited for it to be loaded doesn't wait for a slow answer", async () => {
    await until(() => stuck.received.length >= 1);
    assert.deepEqual(stuck.received.map(shown), ["a"]);
  });

  test("in memory: a connection that is closed meanwhile serves nothing any more", async () => {
    await until(() => begun.every(({ row, received }) => received.length >= row.hears.length));
    assert.deepEqual(leaver.done, []);
  });

  for (const row of rows)
    test(`over stdio, written at once, input ended at once: ${row.name}`, async () => {
      const program = fileURLToPath(new URL("programs/eager-stdio.ts", import.meta.url));
      const child = spawn(process.execPath, [...process.execArgv, program], { stdio: ["pipe", "pipe", "inherit"] });
      child.stdin.end(row.sends.map((message) => `${JSON.stringify(message)}\n`).join(""));
      const chunks: Buffer[] = [];
      child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
      const code = await new Promise((resolve) => child.on("close", resolve));
      const lines = Buffer.concat(chunks).toString().trimEnd().split("\n");
      assert.deepEqual(
        lines.map((line) => shown(JSON.parse(line))),
        row.hears,
      );
      assert.equal(code, 0);
    });
});

/** A client whose `initialize` is never answered, since middleware keeps it. */
function behindStuckInitialize(): { readonly received: unknown[] } {
  const [near, far] = memoryPair();
  const { server } = eager();
  server.use((call, next) => (call.method === "initialize" ? new Promise(() => {}) : next()));
  server.connect(far);
  const received: unknown[] = [];
  void near.open((message) => received.push(message));
  const call = request("a", "tools/call", stateless({ name: "say", arguments: { text: "a" } }));
  for (const message of [initialize("2025-11-25"), call]) void near.send(message as Message);
  return { received };
}

/** A client on a transport that delivers in the turn in which something is sent. It goes on when `initialize` is answered. */
function joinedInOneTurn(): { readonly received: unknown[] } {
  const received: unknown[] = [];
  let deliver!: (message: Message) => void;
  const transport: Transport = {
    open(receive) {
      deliver = receive;
      return new Promise(() => {});
    },
    send(message) {
      received.push(message);
      if (shown(message) === 1) for (const next of [say(3, "c"), say(4, "d")]) deliver(next as Message);
    },
    close: () => {},
  };
  eager().server.connect(transport);
  for (const message of [initialize("2025-11-25"), initialized, say(2, "b")]) deliver(message as Message);
  return { received };
}
