import type { Outcome, Run } from "./run.ts";
import type { Suite } from "./suite.ts";

/** ms for one scenario; the suite itself gives a client 30 seconds. */
const PATIENCE = 45_000;

/** Scenarios in which a client that does right refuses to go on, and may say so by its exit code. */
const REFUSED = new Set([
  "http-invalid-tool-headers",
  "auth/scope-retry-limit",
  "auth/resource-mismatch",
  "auth/iss-supported-missing",
  "auth/iss-wrong-issuer",
  "auth/iss-unexpected",
  "auth/iss-normalized",
  "auth/metadata-issuer-mismatch",
  "sep-2640-client-verify-digest",
  "sep-2640-client-verify-size",
  "sep-2640-client-verify-frontmatter",
]);

/** Runs one scenario by one start of the suite, which starts one client: only then do exit codes and time-outs count. */
export async function runClient(suite: Suite, run: Run): Promise<Outcome> {
  const { scenario, version } = run;
  const command = [process.execPath, suite.programs.client].map((part) => JSON.stringify(part)).join(" ");
  const { exit, checks } = await suite.start(
    ["client", "--command", command, "--scenario", scenario],
    version,
    PATIENCE,
  );
  const refused = /^Client exited with code/m.test(exit.output);
  const faults =
    exit.ok && (!refused || REFUSED.has(scenario)) ? [] : [`The client or the suite has failed:\n${exit.output}`];
  return { ...run, checks: checks.get(scenario) ?? [], faults };
}
