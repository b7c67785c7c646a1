import assert from "node:assert/strict";
import { test } from "node:test";
import type { Check } from "../suite/check.ts";
import type { Outcome } from "../suite/run.ts";
import { totalsOf } from "../suite/totals.ts";
import { wrongIn } from "../suite/verdict.ts";

const outcome = (statuses: readonly Check["status"][], more: Partial<Outcome> = {}): Outcome => ({
  role: "client",
  version: "2026-07-28",
  scenario: "tools_call",
  checks: statuses.map((status) => ({ id: "some-check", status, errorMessage: "so it is" })),
  faults: [],
  ...more,
});

test("a run in which something is right and nothing wrong is green", () => {
  assert.deepEqual(wrongIn(outcome(["SUCCESS", "INFO", "SKIPPED"])), []);
});

test("a failure, a warning and an exit code are each enough", () => {
  assert.deepEqual(wrongIn(outcome(["SUCCESS", "FAILURE"])), ["FAILURE some-check: so it is"]);
  assert.deepEqual(wrongIn(outcome(["SUCCESS", "WARNING"])), ["WARNING some-check: so it is"]);
  assert.deepEqual(wrongIn(outcome(["SUCCESS"], { faults: ["It has ended"] })), ["It has ended"]);
});

test("a run without a success is red, but for the one scenario that the suite skips whole", () => {
  for (const statuses of [[], ["INFO"], ["SKIPPED"]] as const)
    assert.deepEqual(wrongIn(outcome(statuses)), ["No check has succeeded"]);
  const skipped = { scenario: "tasks-status-notifications" };
  assert.deepEqual(wrongIn(outcome(["SKIPPED"], skipped)), []);
  assert.deepEqual(wrongIn(outcome([], skipped)), ["No check has succeeded"]);
});

test("the totals count scenarios once and runs all", () => {
  const outcomes = [
    outcome(["SUCCESS", "SUCCESS"]),
    outcome(["SUCCESS", "WARNING"], { version: "2025-11-25" }),
    outcome(["SUCCESS", "SKIPPED"], { role: "server", scenario: "tools-list" }),
  ];
  assert.equal(
    totalsOf(outcomes),
    `                      runs   passed   failed   warned  skipped
server 2026-07-28        1        1        0        0        1
client 2025-11-25        1        1        0        1        0
client 2026-07-28        1        2        0        0        0
all                      3        4        0        1        1

scenarios: 1 of a server, 1 of a client; red runs: 1`,
  );
});
