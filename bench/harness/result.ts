import { type Spread, ratioOf, spreadOf } from "./arithmetic.ts";
import { type Samples, type Verdict, valuesOf, verdictsOf } from "./bar.ts";
import { type Contender, type Figure, type Row, figuresOf } from "./row.ts";

/** One contender's figure, and how many times ours and the bare limit's it is. */
export interface Line {
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
    samples: count,
    figures: figuresOf(row).map((figure) => ({ ...figure, lines: linesOf(row, figure, samples) })),
    verdicts: verdictsOf(row, samples),
  };
}

function linesOf({ contenders }: Row, figure: Figure, samples: Samples): Line[] {
  const first = (kind: Contender["kind"]): string | undefined => contenders.find((one) => one.kind === kind)?.name;
  const [ours, bare] = [first("ours"), first("bare")];
  return contenders.map(({ name, kind }) => {
    const values = valuesOf(samples, name, figure.name);
    const to = (other: string): number => ratioOf(values, valuesOf(samples, other, figure.name)).median;
    return {
      contender: name,
      kind,
      value: spreadOf(values),
      ...(ours === undefined ? undefined : { toOurs: to(ours) }),
      ...(bare === undefined ? undefined : { toBare: to(bare) }),
    };
  });
}
