import type { Spread } from "./arithmetic.ts";
import type { Verdict } from "./bar.ts";
import type { Figure } from "./row.ts";

/** Three digits that count, with the thousands set apart. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return "-";
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function amount(value: number, unit: Figure["unit"]): string {
  if (unit === "packages") return count(value, "package");
  if (unit !== "bytes") return `${number(value)} ${unit}`;
  if (Math.abs(value) < 10_000) return `${number(value)} B`;
  return Math.abs(value) < 10_000_000 ? `${number(value / 1000)} kB` : `${number(value / 1e6)} MB`;
}

/** Half of the distance between the quartiles, as a part of the median. */
export const wobble = ({ median, low, high }: Spread): string =>
  low === high ? "" : `±${Math.round(((high - low) / 2 / Math.abs(median)) * 100)} %`;

/** Two decimals, more where those would be zeros, none where they say nothing. */
export const ratio = (value: number | undefined): string =>
  value === undefined ? "" : value < 0.095 || value >= 100 ? number(value) : value.toFixed(2);

const MARKS = { yes: "holds", no: "MISSED", unclear: "unclear" } as const;

export function bar({ of, figure, against, want, limit, got, bare, holds }: Verdict, unit: Figure["unit"]): string {
  const shown = (value: number): string => (against === undefined ? amount(value, unit) : ratio(value));
  const relation = against === undefined ? "" : ` × ${against}`;
  const best = bare === undefined || holds === "yes" ? "" : `; bare gets ${shown(bare)}`;
  return `${MARKS[holds]}: ${of}, ${figure} ${want} ${shown(limit)}${relation}, got ${shown(got)}${best}`;
}

export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
