// pnpm bench [name…] [--quick] [--rounds N]: every row whose name contains one of the names, or all.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildBench, buildPackages, rowNames } from "./harness/build.ts";
import { loadRow } from "./harness/load.ts";
import { thisMachine } from "./harness/machine.ts";
import { type Result, resultOf } from "./harness/result.ts";
import { save } from "./harness/results.ts";
import { samplesOf } from "./harness/rounds.ts";
import { table } from "./harness/table.ts";

const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean", default: false }, rounds: { type: "string" } },
  allowPositionals: true,
});
const { quick } = values;
const rounds = Number(values.rounds ?? (quick ? 1 : 3));
const folder = dirname(fileURLToPath(import.meta.url));
const all = rowNames(folder);
const chosen = all.filter((name) => positionals.length === 0 || positionals.some((part) => name.includes(part)));
if (chosen.length === 0 || !(rounds >= 1)) {
  console.error(`pnpm bench [name…] [--quick] [--rounds N]\nRows: ${all.join(", ")}`);
  process.exit(1);
}

buildPackages(folder);
await buildBench(folder);
const results: Result[] = [];
for (const name of chosen) {
  const row = await loadRow(folder, name);
  const result = resultOf(name, row, await samplesOf(name, row, { quick, rounds }, folder));
  results.push(result);
  console.log(table(result));
}
// A quick run is for a look; what is kept comes from whole ones.
if (!quick) save(folder, thisMachine(), results, all);
