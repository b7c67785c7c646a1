import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as format from "./format.ts";
import type { Machine } from "./machine.ts";
import type { Result } from "./result.ts";
import { replaceMarked, summary } from "./summary.ts";

/** The rows that the README shows. */
const IN_README = new Set([
  "echo",
  "stdio-call",
  "http-session",
  "http-stateless",
  "tools-list",
  "spawn",
  "bundle-server",
  "installed-server",
]);

/** What bench/results.json holds. */
interface Results {
  readonly machine: Machine;
  readonly rows: readonly Result[];
}

/**
 * Writes results.json, RESULTS.md and the tables of the pages that show them. Rows that were not run keep their last
 * result, as long as the machine is the same; `order` names all rows there are.
 */
export function save(folder: string, machine: Machine, fresh: readonly Result[], order: readonly string[]): void {
  const known = new Map([...earlier(folder, machine), ...fresh].map((result) => [result.row, result]));
  const rows = order.flatMap((name) => known.get(name) ?? []);
  writeFileSync(join(folder, "results.json"), `${JSON.stringify({ machine, rows } satisfies Results, undefined, 1)}\n`);
  writeFileSync(join(folder, "RESULTS.md"), page({ machine, rows }));
  const { cpu, cores, memoryGiB, system, node } = machine;
  replaceMarked(join(folder, "../docs/performance.md"), [
    `On ${cores} cores of ${cpu}, ${memoryGiB} GiB, ${system}, Node ${node}:`,
    "",
    ...summary(rows),
  ]);
  replaceMarked(join(folder, "../README.md"), summary(rows.filter(({ row }) => IN_README.has(row))));
}

function earlier(folder: string, machine: Machine): readonly Result[] {
  try {
    const { machine: other, rows } = JSON.parse(readFileSync(join(folder, "results.json"), "utf8")) as Results;
    return JSON.stringify(other) === JSON.stringify(machine) ? rows : [];
  } catch {
    return [];
  }
}

/** The results for people. */
function page({ machine, rows }: Results): string {
  const { cpu, cores, memoryGiB, system, node } = machine;
  const verdicts = rows.flatMap((row) => row.verdicts);
  const count = (holds: string): number => verdicts.filter((verdict) => verdict.holds === holds).length;
  return [
    "# Results",
    "",
    `Written by \`pnpm bench\`. ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}.`,
    "",
    `Of ${verdicts.length} bars ${count("yes")} hold, ${count("no")} are missed, ${count("unclear")} are unclear (the quartiles lie on both sides).`,
    "Each figure is the median of its samples, ± half the distance of the quartiles; a ratio is the median of the",
    "samples' own ratios. How it is measured: [README.md](README.md).",
    "",
    ...rows.flatMap((row) => section(row, cores)),
  ].join("\n");
}

function section({ title, row, date, samples, load, note, figures, verdicts }: Result, cores: number): string[] {
  const busy =
    samples > 1 && load > cores + 1 ? ` The machine was busy with other things (load ${load} on ${cores} cores).` : "";
  return [
    `## ${title}`,
    "",
    `\`pnpm bench ${row}\`, ${date}, ${format.count(samples, "sample")}.${busy}${note === undefined ? "" : ` ${note}`}`,
    "",
    ...figures.flatMap(({ name, unit, lines }) => [
      `| ${name} | | | × ours | × bare |`,
      "|---|---:|---:|---:|---:|",
      ...lines.map(({ contender, kind, value, toOurs, toBare }) => {
        const shown = kind === "ours" ? `**${contender}**` : contender;
        return `| ${shown} | ${format.amount(value.median, unit)} | ${format.wobble(value)} | ${format.ratio(toOurs)} | ${format.ratio(toBare)} |`;
      }),
      "",
    ]),
    ...verdicts.map((verdict) => {
      const unit = figures.find(({ name }) => name === verdict.figure)?.unit ?? "/s";
      return `- ${format.bar(verdict, unit)}`;
    }),
    ...(verdicts.length > 0 ? [""] : []),
  ];
}
