import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Bookings, appear } from "../bookings.ts";
import { freeBeside } from "../rooms.ts";
import { temporaryFolder } from "./temporary.ts";

const DATE = "2026-12-01";
const slot = (startTime: string, endTime: string) => ({ roomId: "A301", date: DATE, startTime, endTime }) as const;

test("a booking is kept: another store over the same folder has it", async () => {
  const folder = temporaryFolder();
  const outcome = await new Bookings(folder).book(slot("09:00", "10:00"));
  assert.deepEqual(outcome, { booking: { id: "A301/2026-12-01/1", ...slot("09:00", "10:00") } });
  assert.deepEqual(await new Bookings(folder).of("A301", DATE), [
    { id: "A301/2026-12-01/1", ...slot("09:00", "10:00") },
  ]);
});

test("bookings that touch don't overlap; every kind of overlap is a conflict with the booking that is there", async () => {
  const bookings = new Bookings(temporaryFolder());
  const { booking } = (await bookings.book(slot("10:00", "12:00"))) as { booking: unknown };
  for (const [from, to] of [
    ["09:00", "10:01"],
    ["11:59", "13:00"],
    ["10:30", "11:00"],
    ["09:00", "13:00"],
    ["10:00", "12:00"],
  ] as const)
    assert.deepEqual(await bookings.book(slot(from, to)), { conflict: booking });
  for (const [from, to] of [
    ["08:00", "10:00"],
    ["12:00", "13:00"],
  ] as const)
    assert.ok("booking" in (await bookings.book(slot(from, to))));
  assert.ok("booking" in (await bookings.book({ ...slot("10:00", "12:00"), roomId: "A302" })));
  assert.ok("booking" in (await bookings.book({ ...slot("10:00", "12:00"), date: "2026-12-02" })));
});

test("of a hundred bookings of one slot at once exactly one wins", async () => {
  const bookings = new Bookings(temporaryFolder());
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => bookings.book(slot("10:00", "11:00"))));
  assert.equal(outcomes.filter((outcome) => "booking" in outcome).length, 1);
  assert.equal((await bookings.of("A301", DATE)).length, 1);
});

test("bookings of different slots at once all win", async () => {
  const bookings = new Bookings(temporaryFolder());
  const hours = ["08", "09", "10", "11", "12", "13", "14", "15"];
  const outcomes = await Promise.all(hours.map((hour) => bookings.book(slot(`${hour}:00`, `${hour}:59`))));
  assert.ok(outcomes.every((outcome) => "booking" in outcome));
  const ids = (await bookings.of("A301", DATE)).map(({ id }) => id);
  assert.equal(new Set(ids).size, hours.length);
});

test("processes that book the same slots share one order: no two bookings overlap", async (t) => {
  const folder = temporaryFolder();
  const children = Array.from({ length: 3 }, () => keepBooking(folder));
  t.after(() => children.forEach((child) => child.kill("SIGKILL")));
  await Promise.all(children.map((child) => once(child.stdout!, "data")));
  await sleep(300);
  await Promise.all(children.map(killed));
  const taken = await new Bookings(folder).of("B105", DATE);
  assert.ok(taken.length > 3, `${taken.length} bookings`);
  assert.equal(new Set(taken.map(({ startTime }) => startTime)).size, taken.length);
});

test("a process that is killed while it writes leaves whole files only, and the next one goes on", async (t) => {
  const folder = temporaryFolder();
  for (let round = 1; round <= 3; round++) {
    const child = keepBooking(folder);
    t.after(() => child.kill("SIGKILL"));
    await once(child.stdout!, "data");
    await sleep(20 * round);
    await killed(child);
    for (const day of readdirSync(folder))
      for (const name of readdirSync(join(folder, day)).filter((file) => file.endsWith(".json")))
        JSON.parse(readFileSync(join(folder, day, name), "utf8"));
  }
  assert.ok("booking" in (await new Bookings(folder).book({ ...slot("9000:00", "9000:01"), roomId: "B105" })));
});

test("a file that is there is not overwritten, and no draft is left", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "a.json");
  assert.equal(await appear(path, "1"), true);
  assert.equal(await appear(path, "2"), false);
  assert.equal(readFileSync(path, "utf8"), "1");
  assert.deepEqual(readdirSync(folder), ["a.json"]);
});

test("what is free of a day, whatever the order of its bookings", () => {
  assert.deepEqual(freeBeside([]), [{ startTime: "08:00", endTime: "18:00" }]);
  assert.deepEqual(freeBeside([slot("17:00", "18:00"), slot("08:00", "09:00"), slot("12:00", "13:00")]), [
    { startTime: "09:00", endTime: "12:00" },
    { startTime: "13:00", endTime: "17:00" },
  ]);
  assert.deepEqual(freeBeside([slot("08:00", "18:00")]), []);
});

function keepBooking(folder: string): ChildProcess {
  const program = fileURLToPath(new URL("keep-booking.ts", import.meta.url));
  return spawn(process.execPath, [...process.execArgv, program, folder, DATE], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function killed(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
