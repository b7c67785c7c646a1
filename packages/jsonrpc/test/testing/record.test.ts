import assert from "node:assert/strict";
import { test } from "node:test";
import { type Context, Invalid, type Transport, createPeer, implement, memoryPair } from "@x/jsonrpc";
import { type Entry, type Passing, record, replay, tap } from "@x/jsonrpc/testing";
import { HandMade } from "../hand-made.ts";
import { notification, request, settled, success } from "../far-end.ts";

const service = implement({
  add: ([a, b]: [number, number]) => a + b,
  greet: async (_: unknown, context: Context) => `hello ${String(await context.request("name"))}`,
});
const mine = implement({ name: () => "ann" });

/** What a client does in these tests, on whichever transport. */
async function conversation(transport: Transport): Promise<unknown[]> {
  const client = createPeer(transport, { service: mine, onError: () => {} });
  const results = [
    await client.request("add", [1, 2]),
    await client.request("greet"),
    await client.batch((b) => [b.request("add", [3, 4]), b.request("add", [5, 6])]),
    await client.request("nowhere").catch((error: Error) => error.message),
  ];
  await client.notify("bye");
  await settled();
  await client.close();
  return results;
}

async function recorded(): Promise<{ lines: string[]; results: unknown[] }> {
  const [a, b] = memoryPair();
  const server = service.connect(b);
  const lines: string[] = [];
  const results = await conversation(record(a, (line) => lines.push(line)));
  await server.closed;
  return { lines, results };
}

test("tap tells of every message, with direction, time and info", async () => {
  const transport = new HandMade();
  const seen: Passing[] = [];
  const peer = service.connect(tap(transport, (passing) => seen.push(passing)));
  transport.receive(request(1, "add", [1, 2]), { user: "ann" });
  await peer.notify("bye");
  assert.deepEqual(
    seen.map(({ direction, message, info }) => ({ direction, message, info })),
    [
      { direction: "in", message: request(1, "add", [1, 2]), info: { user: "ann" } },
      { direction: "out", message: success(1, 3), info: undefined },
      { direction: "out", message: notification("bye"), info: undefined },
    ],
  );
  assert.ok(seen.every(({ time }) => time >= 0 && time < 60_000));
  await peer.close();
});

test("tap does not tell of what was not sent, and survives its listener", async (t) => {
  const printed = t.mock.method(console, "error", () => {});
  const [a, b] = memoryPair();
  service.connect(b);
  const seen: unknown[] = [];
  const client = createPeer(
    tap(a, ({ message }) => {
      seen.push(message);
      throw new Error("the listener");
    }),
  );
  await assert.rejects(client.request("add", [1n]), TypeError);
  assert.equal(seen.length, 0);
  assert.equal(await client.request("add", [1, 2]), 3);
  assert.deepEqual([seen.length, printed.mock.callCount()], [2, 2]);
  await client.close();
});

test("a recording is a line of JSON for each message and for the end", async () => {
  const { lines } = await recorded();
  const entries = lines.map((line) => JSON.parse(line) as Entry);
  assert.ok(lines.every((line) => line.endsWith("\n") && line.indexOf("\n") === line.length - 1));
  assert.deepEqual(
    entries.slice(0, 2).map(({ direction, message }) => ({ direction, message })),
    [
      { direction: "out", message: request(1, "add", [1, 2]) },
      { direction: "in", message: success(1, 3) },
    ],
  );
  assert.deepEqual(entries.at(-1)?.ended, true);
  const times = entries.map(({ time }) => time);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
});

test("a recording can be played again, with the same results", async () => {
  const { lines, results } = await recorded();
  const played = replay(lines.join(""));
  assert.deepEqual(await conversation(played), results);
  await played.finished;
});

test("requests may have other ids than when they were recorded", async () => {
  const { lines, results } = await recorded();
  const played = replay(lines.join(""));
  let last = 100;
  const client = createPeer(played, { service: mine, nextId: () => `id ${++last}`, onError: () => {} });
  assert.equal(await client.request("add", [1, 2]), results[0]);
  assert.equal(await client.request("greet"), results[1]);
  assert.deepEqual(await client.batch((b) => [b.request("add", [3, 4]), b.request("add", [5, 6])]), results[2]);
  await client.close();
  await assert.rejects(played.finished, /Closed with 3 messages of the recording to go/);
});

test("what the recording does not have next breaks the connection, and the error shows both", async () => {
  const { lines } = await recorded();
  const played = replay(lines.join(""));
  const client = createPeer(played, { service: mine });
  await settled();
  await assert.rejects(client.request("add", [1, 3]), (error: Error) => {
    assert.match(error.message, /^Not in the recording: expected .*\[1,2\].*, but this was sent: .*\[1,3\]/);
    return true;
  });
  await assert.rejects(played.finished, /Not in the recording/);
  assert.match(String(await client.closed), /Not in the recording/);
});

async function ended(transport: Transport): Promise<{ reason: string; reports: string[] }> {
  const reports: string[] = [];
  const { closed } = createPeer(transport, { onError: (error) => reports.push((error as Error).message) });
  return { reason: String(await closed), reports };
}

test("what is no message and how the other side ended are recorded and played", async () => {
  for (const end of ["in order", "broken"]) {
    const transport = new HandMade();
    const lines: string[] = [];
    const original = ended(record(transport, (line) => lines.push(line)));
    transport.receive(new Invalid("Parse error: not JSON", { code: -32700 }));
    transport.receive({ jsonrpc: "2.0", id: 9, result: 1, error: {} });
    if (end === "broken") transport.broken(new Error("cut"));
    else transport.end();
    const { reason, reports } = await original;
    assert.equal(reports.length, 2);
    assert.deepEqual(await ended(replay(lines.join(""))), { reason, reports });
  }
});
