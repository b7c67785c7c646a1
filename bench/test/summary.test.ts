import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Result } from "../harness/result.ts";
import { replaceMarked, summary } from "../harness/summary.ts";

const line = (contender: string, kind: "ours" | "peer" | "bare", median: number, toBare?: number) => ({
  contender,
  kind,
  value: { median, low: median, high: median },
  ...(toBare === undefined ? undefined : { toBare }),
});

const result = (figure: object, ...lines: ReturnType<typeof line>[]): Result =>
  ({ row: "row", title: "Title", figures: [{ ...figure, lines }] }) as unknown as Result;

const head = ["| | ours | the best of the others | ours is better by | × bare |", "|---|---:|---:|---:|---:|"];

test("a rate is compared with the fastest of the others, each of our contenders in a line of its own", () => {
  const rate = { name: "rate", unit: "/s", better: "more" };
  const lines = summary([
    result(
      rate,
      line("ours, a", "ours", 300, 0.75),
      line("ours, b", "ours", 150, 0.375),
      line("slow", "peer", 50),
      line("fast", "peer", 100),
      line("bare", "bare", 400, 1),
    ),
  ]);
  assert.deepEqual(lines, [
    ...head,
    "| Title, a | 300 /s | 100 /s (fast) | 3.00 | 0.75 |",
    "| Title, b | 150 /s | 100 /s (fast) | 1.50 | 0.38 |",
  ]);
});

test("of a size less is better, and without others nothing is compared", () => {
  const size = { name: "size", unit: "bytes", better: "less" };
  assert.deepEqual(summary([result(size, line("ours", "ours", 500), line("x", "peer", 900), line("y", "peer", 800))]), [
    ...head,
    "| Title | 500 B | 800 B (y) | 1.60 |  |",
  ]);
  assert.deepEqual(summary([result(size, line("ours", "ours", 500))]), [...head, "| Title | 500 B |  |  |  |"]);
});

test("a page keeps what is around its marks", () => {
  const folder = mkdtempSync(join(tmpdir(), "summary-"));
  const path = join(folder, "page.md");
  try {
    writeFileSync(path, "before\n<!-- bench -->\nold\n<!-- /bench -->\nafter\n");
    replaceMarked(path, ["new"]);
    assert.equal(readFileSync(path, "utf8"), "before\n<!-- bench -->\n\nnew\n\n<!-- /bench -->\nafter\n");
    writeFileSync(path, "no marks");
    assert.throws(() => replaceMarked(path, ["new"]), /no <!-- bench -->/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
