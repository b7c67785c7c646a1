import { readFileSync, writeFileSync } from "node:fs";
import * as format from "./format.ts";
import type { Result } from "./result.ts";

type Figure = Result["figures"][number];
type Line = Figure["lines"][number];

const START = "<!-- bench -->";
const END = "<!-- /bench -->";

/** One line for each of our contenders and figures: against the best of the others, and the bare limit. */
export function summary(rows: readonly Result[]): string[] {
  return [
    "| | ours | the best of the others | ours is better by | × bare |",
    "|---|---:|---:|---:|---:|",
    ...rows.flatMap((row) => row.figures.flatMap((figure) => linesOf(row, figure))),
  ];
}

function linesOf({ title, figures }: Result, figure: Figure): string[] {
  const { name, unit, lines } = figure;
  const peer = bestOf(figure);
  const own = lines.filter(({ kind }) => kind === "ours");
  return own.map((line) => {
    const what = [
      title,
      ...(figures.length > 1 ? [name] : []),
      ...(own.length > 1 ? [line.contender.replace(/^ours,? ?/, "")] : []),
    ];
    const others = peer === undefined ? "" : `${format.amount(peer.value.median, unit)} (${peer.contender})`;
    return `| ${what.filter(Boolean).join(", ")} | ${format.amount(line.value.median, unit)} | ${others} | ${better(figure, line, peer)} | ${format.ratio(line.toBare)} |`;
  });
}

/** By what our figure is better: above 1 where we are ahead. */
function better(figure: Figure, ours: Line, peer: Line | undefined): string {
  if (peer === undefined) return "";
  const ratio = peer.value.median / ours.value.median;
  return format.ratio(figure.better === "less" ? ratio : 1 / ratio);
}

function bestOf({ better: want, lines }: Figure): Line | undefined {
  const sign = want === "less" ? 1 : -1;
  return lines.filter(({ kind }) => kind === "peer").sort((a, b) => sign * (a.value.median - b.value.median))[0];
}

/** Puts `lines` between the marks of a page, in place of what is there. Throws where a mark is missing. */
export function replaceMarked(path: string, lines: readonly string[]): void {
  const page = readFileSync(path, "utf8");
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start === -1 || end < start) throw new Error(`${path} has no ${START} with a ${END} behind it`);
  writeFileSync(path, `${page.slice(0, start + START.length)}\n\n${lines.join("\n")}\n\n${page.slice(end)}`);
}
