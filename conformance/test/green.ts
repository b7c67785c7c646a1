import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Outcome } from "../suite/run.ts";
import { rowOf } from "../suite/totals.ts";
import { wrongIn } from "../suite/verdict.ts";

/** Fails with what is wrong with the run. */
export function assertGreen(outcome: Outcome): void {
  assert.equal(wrongIn(outcome).join("\n"), "");
}

/** docs/conformance.md shows the totals as they are printed. */
export function assertInDocs(outcomes: readonly Outcome[]): void {
  const page = readFileSync(new URL("../../docs/conformance.md", import.meta.url), "utf8");
  const row = rowOf(outcomes);
  assert.ok(page.includes(`\n${row}\n`), `docs/conformance.md should say: ${row}`);
}
