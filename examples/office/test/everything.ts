import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { AbortError } from "@x/jsonrpc";
import type { Client } from "@x/mcp/client";
import { appear } from "../bookings.ts";

/** Calls every tool of the office, with what it should and with what it should not get. No one else may use `date`. */
export async function useEveryTool(client: Client, date: string): Promise<void> {
  assert.deepEqual(await toolsOf(client), ["queryRoomAvailability", "bookMeetingRoom", "checkAttendance"]);

  const free = await client.callTool("queryRoomAvailability", { roomId: "A301", date });
  assert.deepEqual(free.content, [{ type: "text", text: "A301 is free 08:00 to 18:00" }]);

  const slot = { roomId: "A301", date, startTime: "10:00", endTime: "11:30" };
  const outcomes = await Promise.all([
    client.callTool("bookMeetingRoom", slot),
    client.callTool("bookMeetingRoom", slot),
  ]);
  const [won, lost] = outcomes[0].isError ? outcomes.toReversed() : outcomes;
  const booking = { id: `A301/${date}/1`, ...slot };
  assert.deepEqual(won?.structuredContent, { booking });
  assert.deepEqual(won?.content, [{ type: "text", text: JSON.stringify({ booking }) }]);
  assert.equal(lost?.isError, true);
  assert.deepEqual(lost?.structuredContent, { conflict: booking });
  assert.deepEqual(lost?.content, [{ type: "text", text: "A301 is taken 10:00 to 11:30" }]);

  const early = await client.callTool("bookMeetingRoom", { ...slot, startTime: "07:00" });
  assert.equal(early.isError, true);
  assert.match(JSON.stringify(early.content), /bookMeetingRoom.*rooms can be booked from 08:00 to 18:00/);

  const progress: number[] = [];
  const month = await client.callTool(
    "checkAttendance",
    { employeeId: "E1002", month: "2026-11" },
    { onProgress: (report) => progress.push(report.progress) },
  );
  assert.deepEqual(progress, [1, 2, 3, 4, 5]);
  assert.deepEqual(month.structuredContent, { office: 13, home: 4, absent: 4 });

  const stop = new AbortController();
  await assert.rejects(
    client.callTool(
      "checkAttendance",
      { employeeId: "E1002", month: "2026-11" },
      { signal: stop.signal, onProgress: () => stop.abort() },
    ),
    AbortError,
  );
}

/** All clients learn that the annex has opened, use its tool, and learn that it has closed. */
export async function visitAnnex(clients: readonly Client[], folder: string): Promise<void> {
  const changes = new EventEmitter();
  const everyone = async (): Promise<unknown> =>
    await Promise.all(clients.map((_, index) => once(changes, String(index))));
  const subscriptions = clients.map((client, index) =>
    client.subscribe({ tools: true }, () => changes.emit(String(index))),
  );
  await Promise.all(subscriptions.map(({ ready }) => ready));

  const path = join(folder, "annex.json");
  const opened = everyone();
  await appear(path, JSON.stringify(["D1", "D2"]));
  await opened;
  for (const client of clients) {
    assert.equal((await toolsOf(client)).at(-1), "queryAnnexDesks");
    const desks = await client.callTool("queryAnnexDesks");
    assert.deepEqual(desks.content, [{ type: "text", text: "Desks: D1, D2" }]);
  }

  const closed = everyone();
  await rm(path);
  await closed;
  for (const client of clients) {
    assert.equal((await toolsOf(client)).at(-1), "checkAttendance");
    await assert.rejects(client.callTool("queryAnnexDesks"), {
      code: -32602,
      message: 'Unknown tool: "queryAnnexDesks"',
    });
  }
  for (const subscription of subscriptions) await subscription.close();
}

async function toolsOf(client: Client): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of client.tools()) names.push(name);
  return names;
}
