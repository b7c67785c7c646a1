import type { Outcome, Run, Version } from "./run.ts";
import type { Suite } from "./suite.ts";

/** ms for all scenarios of one version. */
const PATIENCE = 120_000;

/** Puts a server through all runs of one version, by one start of the suite. */
export async function runServer(
  suite: Suite,
  url: string,
  version: Version,
  runs: readonly Run[],
): Promise<readonly Outcome[]> {
  return await outcomes(suite, ["server", "--url", url, "--suite", "all"], version, runs);
}

/** Puts a server through one scenario. */
export async function runServerOnce(suite: Suite, url: string, run: Run): Promise<readonly Outcome[]> {
  return await outcomes(suite, ["server", "--url", url, "--scenario", run.scenario], run.version, [run]);
}

async function outcomes(
  suite: Suite,
  args: readonly string[],
  version: Version,
  runs: readonly Run[],
): Promise<readonly Outcome[]> {
  const { exit, checks } = await suite.start(args, version, PATIENCE);
  const missing = [`It was not run. The end of what the suite says:\n${exit.output.slice(-2000)}`];
  return runs.map((run) => {
    const found = checks.get(run.scenario);
    return { ...run, checks: found ?? [], faults: found ? [] : missing };
  });
}
