import { type Spread, median, ratioOf, spreadOf } from "./arithmetic.ts";
import { type Bar, type Figure, type Row, type Sample, figuresOf } from "./row.ts";

/** Every contender's samples; those with the same index were taken one after the other. */
export type Samples = { readonly [contender: string]: readonly Sample[] };

/** Whether one contender reaches one bar; "unclear" where the quartiles lie on both sides of it, or where
 * it was not measured. */
export interface Verdict {
  readonly of: string;
  readonly figure: string;
  /** With whom it was compared in the end. */
  readonly against?: string;
  readonly limit: number;
  readonly want: "at least" | "at most";
  readonly got: number;
  /** What the bare limit gets: against a peer that is close to it, no library can do better. */
  readonly bare?: number;
  readonly holds: "yes" | "no" | "unclear";
}

export function verdictsOf(row: Row, samples: Samples): Verdict[] {
  return row.bars.flatMap((bar) =>
    row.contenders
      .filter(({ name, kind }) => (bar.of === undefined ? kind === "ours" : name === bar.of))
      .map(({ name }) => verdictOf(bar, name, row, samples)),
  );
}

function verdictOf(bar: Bar, of: string, row: Row, samples: Samples): Verdict {
  const figure = figureNamed(bar.figure, row);
  const ours = valuesOf(samples, of, figure.name);
  const against = bar.against === undefined ? undefined : bestOf([bar.against].flat(), figure, samples);
  const got = against === undefined ? spreadOf(ours) : ratioOf(ours, valuesOf(samples, against, figure.name));
  const want = bar.atLeast === undefined ? "at most" : "at least";
  const limit = bar.atLeast ?? bar.atMost ?? Number.NaN;
  const kindOf = (contender: string): string | undefined => row.contenders.find(({ name }) => name === contender)?.kind;
  const bare = row.contenders.find(({ kind }) => kind === "bare")?.name;
  return {
    of,
    figure: figure.name,
    ...(against === undefined ? undefined : { against }),
    limit,
    want,
    got: got.median,
    ...(bare !== undefined &&
      against !== undefined &&
      kindOf(against) === "peer" && {
        bare: ratioOf(valuesOf(samples, bare, figure.name), valuesOf(samples, against, figure.name)).median,
      }),
    holds: judge(got, want, limit),
  };
}

export function judge({ median: middle, low, high }: Spread, want: Verdict["want"], limit: number): Verdict["holds"] {
  const reached = (value: number): boolean => (want === "at least" ? value >= limit : value <= limit);
  if (Number.isNaN(middle) || reached(low) !== reached(high)) return "unclear";
  return reached(middle) ? "yes" : "no";
}

/** NaN for what was left out, which counts nowhere. */
export const valuesOf = (samples: Samples, contender: string, figure: string): number[] =>
  (samples[contender] ?? []).map((sample) => sample[figure] ?? Number.NaN);

/** The one of those named whose median is best. */
function bestOf(names: readonly string[], { name: figure, better }: Figure, samples: Samples): string {
  const sign = better === "more" ? -1 : 1;
  const ranked = names
    .map((name) => ({ name, value: sign * median(valuesOf(samples, name, figure)) }))
    .sort((a, b) => a.value - b.value);
  const [best] = ranked;
  if (!best) throw new TypeError("A bar names nobody to compare with");
  return best.name;
}

function figureNamed(name: string | undefined, row: Row): Figure {
  const figures = figuresOf(row);
  const figure = name === undefined ? figures[0] : figures.find((one) => one.name === name);
  if (!figure) throw new TypeError(`"${row.title}" has no figure "${name}"`);
  return figure;
}
