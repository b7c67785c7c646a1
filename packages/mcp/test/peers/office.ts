import assert from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

/** How a client that starts programs starts examples/office. */
export interface Office {
  readonly command: string;
  readonly args: string[];
  /** Makes a tool appear. */
  readonly openAnnex: () => void;
}

/** An office with no booking yet; its folder is gone after the test. */
export function office(): Office {
  const folder = mkdtempSync(join(tmpdir(), "office-peer-"));
  after(() => rmSync(folder, { recursive: true }));
  const program = fileURLToPath(new URL("../../../../examples/office/server.ts", import.meta.url));
  return {
    command: process.execPath,
    args: [...process.execArgv, program, folder],
    openAnnex: () => {
      writeFileSync(join(folder, "annex.json.draft"), JSON.stringify(["D1", "D2"]));
      renameSync(join(folder, "annex.json.draft"), join(folder, "annex.json"));
    },
  };
}

export interface Result {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

interface Options {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; total?: number | undefined }) => void;
}

/** An official client that is connected to an office, whatever its generation. */
export interface Visitor {
  tools(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>, options?: Options): Promise<Result>;
  /** Resolves when it has been told that the list of tools has changed. */
  readonly changed: Promise<unknown>;
}

const slot = { roomId: "A301", date: "2026-12-01", startTime: "10:00", endTime: "11:30" };
const booking = { id: "A301/2026-12-01/1", ...slot };
const month = { employeeId: "E1001", month: "2026-11" };
const text = (words: string): object[] => [{ type: "text", text: words }];

/** Lists and calls everything, with progress, a cancelled call, a failure of each kind, and a tool that appears. */
export async function visit({ openAnnex }: Office, visitor: Visitor): Promise<void> {
  assert.deepEqual(await visitor.tools(), ["queryRoomAvailability", "bookMeetingRoom", "checkAttendance"]);

  const [free, other] = await Promise.all([
    visitor.call("queryRoomAvailability", { roomId: "A301", date: slot.date }),
    visitor.call("queryRoomAvailability", { roomId: "B105", date: slot.date }),
  ]);
  assert.deepEqual(free.content, text("A301 is free 08:00 to 18:00"));
  assert.deepEqual(other.content, text("B105 is free 08:00 to 18:00"));

  const booked = await visitor.call("bookMeetingRoom", slot);
  assert.deepEqual(booked.structuredContent, { booking });
  const taken = await visitor.call("bookMeetingRoom", slot);
  assert.equal(taken.isError, true);
  assert.deepEqual(taken.content, text("A301 is taken 10:00 to 11:30"));
  assert.deepEqual(taken.structuredContent, { conflict: booking });

  const seen: unknown[] = [];
  const attendance = await visitor.call("checkAttendance", month, {
    onprogress: ({ progress, total }) => seen.push([progress, total]),
  });
  // Never more than the last one is missing: see `isLate`.
  assert.ok(seen.length >= 4);
  assert.deepEqual(seen, [1, 2, 3, 4, 5].map((week) => [week, 5]).slice(0, seen.length));
  assert.deepEqual(attendance.structuredContent, { office: 13, home: 4, absent: 4 });

  const stop = new AbortController();
  await assert.rejects(
    visitor.call("checkAttendance", month, {
      signal: stop.signal,
      onprogress: () => stop.abort(new Error("seen enough")),
    }),
    /seen enough/,
  );

  const misfit = await visitor.call("queryRoomAvailability", { roomId: "A301", date: "soon" });
  assert.equal(misfit.isError, true);
  assert.match(JSON.stringify(misfit.content), /queryRoomAvailability.*date: .*at \/date/);
  await assert.rejects(visitor.call("bookMeetingRoomm", slot), { code: -32602 });

  openAnnex();
  await visitor.changed;
  assert.equal((await visitor.tools()).at(-1), "queryAnnexDesks");
  assert.deepEqual((await visitor.call("queryAnnexDesks", {})).content, text("Desks: D1, D2"));
}

/** The official clients get to a notification after the response that came with it, and then complain. */
export const isLate = (error: Error): boolean => error.message.includes("progress notification for an unknown token");
