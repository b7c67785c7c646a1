import type { Check } from "./check.ts";
import { type Outcome, type Role, versions } from "./run.ts";
import { wrongIn } from "./verdict.ts";

const COLUMNS = ["runs", "passed", "failed", "warned", "skipped"];

/** A table of what has come out, a row for each role and version, and one for all. */
export function totalsOf(outcomes: readonly Outcome[]): string {
  const groups = (["server", "client"] as const).flatMap((role) =>
    versions.map((version) => outcomes.filter((each) => each.role === role && each.version === version)),
  );
  const red = outcomes.filter((outcome) => wrongIn(outcome).length > 0).length;
  return [
    line("", COLUMNS),
    ...groups.filter((group) => group.length > 0).map(rowOf),
    line("all", countsOf(outcomes)),
    "",
    `scenarios: ${scenarios(outcomes, "server")} of a server, ${scenarios(outcomes, "client")} of a client; red runs: ${red}`,
  ].join("\n");
}

/** The row of one role and version. */
export function rowOf(outcomes: readonly Outcome[]): string {
  const [{ role, version } = { role: "", version: "" }] = outcomes;
  return line(`${role} ${version}`, countsOf(outcomes));
}

/** Of runs, and of checks by what they have found. */
function countsOf(outcomes: readonly Outcome[]): readonly number[] {
  const checks = outcomes.flatMap((outcome) => outcome.checks);
  const count = (wanted: Check["status"]): number => checks.filter(({ status }) => status === wanted).length;
  return [outcomes.length, count("SUCCESS"), count("FAILURE"), count("WARNING"), count("SKIPPED")];
}

const line = (name: string, cells: readonly (string | number)[]): string =>
  name.padEnd(17) + cells.map((cell) => String(cell).padStart(9)).join("");

const scenarios = (outcomes: readonly Outcome[], role: Role): number =>
  new Set(outcomes.filter((outcome) => outcome.role === role).map(({ scenario }) => scenario)).size;
