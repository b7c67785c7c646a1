import * as format from "./format.ts";
import type { Result } from "./result.ts";

/** A row's result as plain text for a terminal. */
export function table({ row, title, note, samples, load, figures, verdicts }: Result): string {
  const lines = [`${title}   [${row}, ${format.count(samples, "sample")}, load ${load}]`];
  for (const { name, unit, lines: figureLines } of figures) {
    lines.push(
      ...columns([
        [`  ${name}`, "", "", "× ours", "× bare"],
        ...figureLines.map(({ contender, value, toOurs, toBare }) => [
          `  ${contender}`,
          format.amount(value.median, unit),
          format.wobble(value),
          format.ratio(toOurs),
          format.ratio(toBare),
        ]),
      ]),
    );
  }
  for (const verdict of verdicts) {
    const unit = figures.find(({ name }) => name === verdict.figure)?.unit ?? "/s";
    lines.push(`  ${format.bar(verdict, unit)}`);
  }
  if (note !== undefined) lines.push(`  ${note}`);
  return `${lines.join("\n")}\n`;
}

/** The first column is aligned to the left, the others to the right. */
function columns(cells: readonly (readonly string[])[]): string[] {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}
