/**
 * The value at a part (0 to 1) of the sorted list, between two members where it falls there. Members that are NaN
 * don't count; NaN where no other is left.
 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** A figure over all its samples: the median and the quartiles around it. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  low: quantile(values, 0.25),
  high: quantile(values, 0.75),
});

/**
 * How many times the other's figure this one is, sample by sample: the two with one index were taken one after the
 * other, so that a machine that is busy for a while slows both.
 */
export function ratioOf(values: readonly number[], others: readonly number[]): Spread {
  return spreadOf(values.map((value, index) => value / (others[index] ?? Number.NaN)));
}
