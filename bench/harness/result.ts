import { loadavg } from "node:os";
import { type Spread, median, ratioOf, spreadOf } from "./arithmetic.ts";
import { type Samples, type Verdict, valuesOf, verdictsOf } from "./bar.ts";
import { type Contender, type Figure, type Row, figuresOf } from "./row.ts";

/** One contender's figure, and how many times ours and the bare limit's it is. */
interface Line {
  readonly contender: string;
  readonly kind: Contender["kind"];
  readonly value: Spread;
  readonly toOurs?: number;
  readonly toBare?: number;
}

export interface Result {
  readonly row: string;
  readonly title: string;
  readonly note?: string;
  readonly date: string;
  /** How many processes wanted to run, ours included, when it ended: over the number of cores, times say little. */
  readonly load: number;
  /** How many samples each figure is the median of. */
  readonly samples: number;
  readonly figures: readonly (Figure & { readonly lines: readonly Line[] })[];
  readonly verdicts: readonly Verdict[];
}

export function resultOf(name: string, row: Row, samples: Samples): Result {
  const count = Math.max(...Object.values(samples).map((taken) => taken.length));
  return {
    row: name,
    title: row.title,
    ...(row.note === undefined ? undefined : { note: row.note }),
    date: new Date().toISOString().slice(0, 10),
    load: Math.round(loadavg()[0] ?? 0),
    samples: count,
    figures: figuresOf(row).map((figure) => ({ ...figure, lines: linesOf(row, figure, samples) })),
    verdicts: verdictsOf(row, samples),
  };
}

/** Whoever was not measured has no line. */
function linesOf({ contenders }: Row, figure: Figure, samples: Samples): Line[] {
  const all = contenders.map(({ name, kind }) => ({
    contender: name,
    kind,
    values: valuesOf(samples, name, figure.name),
  }));
  const measured = all.filter(({ values }) => !Number.isNaN(median(values)));
  const first = (kind: Contender["kind"]): readonly number[] | undefined =>
    measured.find((one) => one.kind === kind)?.values;
  const [ours, bare] = [first("ours"), first("bare")];
  return measured.map(({ contender, kind, values }) => ({
    contender,
    kind,
    value: spreadOf(values),
    ...(ours && { toOurs: ratioOf(values, ours).median }),
    ...(bare && { toBare: ratioOf(values, bare).median }),
  }));
}
