import assert from "node:assert/strict";
import { test } from "node:test";
import { amount, bar, number, wobble } from "../harness/format.ts";

test("three digits count", () => {
  assert.equal(number(123_456.7), "123,457");
  assert.equal(number(12.345), "12.3");
  assert.equal(number(0.012345), "0.0123");
  assert.equal(number(0), "0");
  assert.equal(number(Number.NaN), "-");
});

test("bytes are shown as kB and MB once they are many", () => {
  assert.equal(amount(4096, "bytes"), "4,096 B");
  assert.equal(amount(14_200, "bytes"), "14.2 kB");
  assert.equal(amount(67_108_864, "bytes"), "67.1 MB");
  assert.equal(amount(1.5, "ms"), "1.50 ms");
});

test("the wobble is half the distance of the quartiles, in percent of the median", () => {
  assert.equal(wobble({ median: 100, low: 90, high: 110 }), "±10 %");
  assert.equal(wobble({ median: 100, low: 100, high: 100 }), "");
});

test("a bar that isn't reached says what the bare limit gets", () => {
  const verdict = {
    of: "ours",
    figure: "rate",
    against: "old",
    limit: 4,
    want: "at least",
    got: 3,
    bare: 3.5,
  } as const;
  assert.equal(
    bar({ ...verdict, holds: "no" }, "/s"),
    "MISSED: ours, rate at least 4.00 × old, got 3.00; bare gets 3.50",
  );
  assert.equal(bar({ ...verdict, holds: "yes" }, "/s"), "holds: ours, rate at least 4.00 × old, got 3.00");
});
