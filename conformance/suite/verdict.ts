import type { Outcome } from "./run.ts";

/** A scenario that has nothing but skipped checks: the suite can't look yet at what it is about. */
const SKIPPED_WHOLE = new Set(["tasks-status-notifications"]);

/**
 * What is wrong with a run, one line each; none where it has passed. A warning is as bad as a failure, and so is a run in
 * which nothing was found to be right.
 */
export function wrongIn({ scenario, checks, faults }: Outcome): readonly string[] {
  const bad = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const vacuous =
    !checks.some(({ status }) => status === "SUCCESS") &&
    !(SKIPPED_WHOLE.has(scenario) && checks.some(({ status }) => status === "SKIPPED"));
  return [
    ...bad.map(({ status, id, errorMessage, description }) => `${status} ${id}: ${errorMessage ?? description ?? ""}`),
    ...(vacuous ? ["No check has succeeded"] : []),
    ...faults,
  ];
}
