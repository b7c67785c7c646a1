import assert from "node:assert/strict";
import { test } from "node:test";
import { median, quantile, ratioOf, spreadOf } from "../harness/arithmetic.ts";

test("the median is the middle one, or lies between the middle two", () => {
  assert.equal(median([5, 1, 3]), 3);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([7]), 7);
  assert.ok(Number.isNaN(median([])));
});

test("a quantile lies in proportion between two members", () => {
  assert.equal(quantile([0, 10], 0.25), 2.5);
  assert.equal(quantile([10, 30, 20, 0, 40], 0.25), 10);
  assert.equal(quantile([1, 2], 1), 2);
});

test("the list that is measured stays in its order", () => {
  const values = [3, 1, 2];
  assert.deepEqual(spreadOf(values), { median: 2, low: 1.5, high: 2.5 });
  assert.deepEqual(values, [3, 1, 2]);
});

test("a ratio is taken sample by sample, so that a slow moment for both changes nothing", () => {
  assert.deepEqual(ratioOf([100, 10, 50], [50, 5, 25]), { median: 2, low: 2, high: 2 });
});

test("what was not measured is left out, and nothing is made up for it", () => {
  assert.equal(median([Number.NaN, 3, 1, 2]), 2);
  assert.equal(ratioOf([1, 2, 3], [4]).median, 0.25);
  assert.ok(Number.isNaN(ratioOf([1, 2, 3], []).median));
});
