import type { Check } from "./check.ts";
import { type Outcome, type Role, versions } from "./run.ts";
import { wrongIn } from "./verdict.ts";

/** What has come out, for each role and version and at large. */
export function totalsOf(outcomes: readonly Outcome[]): string {
  const lines = (["server", "client"] as const).flatMap((role) =>
    versions.map((version) => outcomes.filter((each) => each.role === role && each.version === version)),
  );
  const rows = lines.filter((some) => some.length > 0).map(rowOf);
  const bad = outcomes.filter((outcome) => wrongIn(outcome).length > 0).length;
  const sum = `${scenarios(outcomes, "server")} server scenarios and ${scenarios(outcomes, "client")} client scenarios in ${outcomes.length} runs, ${bad} of them red`;
  return [...rows, "", sum, countsOf(outcomes)].join("\n");
}

/** The line of one role and version. */
export function rowOf(outcomes: readonly Outcome[]): string {
  const [{ role, version } = { role: "", version: "" }] = outcomes;
  return `${role} ${version.padEnd(10)} ${String(outcomes.length).padStart(2)} scenarios, ${countsOf(outcomes)}`;
}

function countsOf(outcomes: readonly Outcome[]): string {
  const checks = outcomes.flatMap((outcome) => outcome.checks);
  const count = (status: Check["status"]): number => checks.filter((check) => check.status === status).length;
  return `${count("SUCCESS")} checks passed, ${count("FAILURE")} failed, ${count("WARNING")} warnings, ${count("SKIPPED")} skipped`;
}

const scenarios = (outcomes: readonly Outcome[], role: Role): number =>
  new Set(outcomes.filter((outcome) => outcome.role === role).map(({ scenario }) => scenario)).size;
