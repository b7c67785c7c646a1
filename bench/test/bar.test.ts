import assert from "node:assert/strict";
import { test } from "node:test";
import { judge, verdictsOf } from "../harness/bar.ts";
import type { Bar, Figure, Row } from "../harness/row.ts";

const time: Figure = { name: "time", unit: "ms", better: "less" };

const row = (bars: readonly Bar[], figures?: readonly Figure[]): Row => ({
  title: "a row",
  contenders: [
    { name: "ours", kind: "ours" },
    { name: "ours, other way", kind: "ours" },
    { name: "old", kind: "peer" },
    { name: "new", kind: "peer" },
    { name: "bare", kind: "bare" },
  ],
  bars,
  ...(figures && { figures }),
});

const rates = (ours: number, other: number, old: number, fresh: number, bare: number) =>
  Object.fromEntries(
    Object.entries({ ours, "ours, other way": other, old, new: fresh, bare }).map(([name, rate]) => [
      name,
      [{ rate, time: rate }],
    ]),
  );

test("a bar binds each of our contenders", () => {
  const verdicts = verdictsOf(row([{ against: "bare", atLeast: 0.5 }]), rates(60, 40, 1, 1, 100));
  assert.deepEqual(
    verdicts.map(({ of, got, holds }) => [of, got, holds]),
    [
      ["ours", 0.6, "yes"],
      ["ours, other way", 0.4, "no"],
    ],
  );
});

test("a bar that names one binds that one", () => {
  const verdicts = verdictsOf(row([{ of: "ours", against: "bare", atLeast: 0.5 }]), rates(60, 40, 1, 1, 100));
  assert.deepEqual(
    verdicts.map(({ of }) => of),
    ["ours"],
  );
});

test("of several peers the best counts: the fastest by rate, the least by time", () => {
  const bar = { of: "ours", against: ["old", "new"], atLeast: 2 };
  const [byRate] = verdictsOf(row([bar]), rates(60, 0, 10, 40, 0));
  assert.deepEqual([byRate?.against, byRate?.got, byRate?.holds], ["new", 1.5, "no"]);
  const [byTime] = verdictsOf(row([{ ...bar, atLeast: 0, atMost: 1 }], [time]), rates(60, 0, 10, 40, 0));
  assert.deepEqual([byTime?.against, byTime?.got], ["old", 6]);
});

test("a bar against a peer says what the bare limit gets", () => {
  const bars = [
    { of: "ours", against: "new", atLeast: 4 },
    { of: "ours", against: "bare", atLeast: 1 },
  ];
  const [peer, bare] = verdictsOf(row(bars), rates(60, 0, 10, 20, 70));
  assert.deepEqual([peer?.got, peer?.bare, peer?.holds], [3, 3.5, "no"]);
  assert.equal(bare?.bare, undefined);
});

test("a bar against nobody is about the figure itself", () => {
  const [verdict] = verdictsOf(row([{ of: "ours", atMost: 4000 }], [time]), rates(3900, 0, 0, 0, 0));
  assert.deepEqual([verdict?.against, verdict?.got, verdict?.holds], [undefined, 3900, "yes"]);
});

test("quartiles on both sides of a bar leave it unclear", () => {
  assert.equal(judge({ median: 0.7, low: 0.66, high: 0.8 }, "at least", 0.65), "yes");
  assert.equal(judge({ median: 0.7, low: 0.6, high: 0.8 }, "at least", 0.65), "unclear");
  assert.equal(judge({ median: 0.5, low: 0.4, high: 0.6 }, "at least", 0.65), "no");
  assert.equal(judge({ median: 1.2, low: 1.1, high: 1.3 }, "at most", 1.25), "unclear");
  assert.equal(judge({ median: 1.2, low: 1.1, high: 1.25 }, "at most", 1.25), "yes");
});

test("a bar for what was not measured is unclear", () => {
  const [verdict] = verdictsOf(row([{ of: "ours", atMost: 1 }], [time]), {});
  assert.equal(verdict?.holds, "unclear");
});

test("a bar for a figure that the row lacks is a mistake of the row", () => {
  assert.throws(() => verdictsOf(row([{ figure: "size", atMost: 1 }]), rates(1, 1, 1, 1, 1)), /no figure "size"/);
});
