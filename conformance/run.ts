// The official conformance suite against the server of `fixtures` and the client of this folder:
// `pnpm conformance [part of a run's name]…`, such as "client 2026-07-28" or "tools-list".
import { runClient } from "./suite/client.ts";
import { pooled } from "./suite/pool.ts";
import { type Outcome, type Run, nameOf, versions } from "./suite/run.ts";
import { runServer, runServerOnce } from "./suite/server.ts";
import { started } from "./suite/started.ts";
import { Suite } from "./suite/suite.ts";
import { totalsOf } from "./suite/totals.ts";
import { wrongIn } from "./suite/verdict.ts";

const filters = process.argv.slice(2).filter((argument) => argument !== "--");
const isWanted = (run: Run): boolean => filters.length === 0 || filters.some((filter) => nameOf(run).includes(filter));

const outcomes: Outcome[] = [];
const suite = await Suite.open();
try {
  const clientRuns = (await suite.runs("client")).filter(isWanted);
  await pooled([serverRuns, ...clientRuns.map((run) => async () => tell(await runClient(suite, run)))], 2);
} finally {
  suite.close();
}
if (outcomes.length === 0) console.error(`No run matches ${filters.join(" or ")}.`);
else console.log(totalsOf(outcomes));
if (outcomes.length === 0 || outcomes.some((outcome) => wrongIn(outcome).length > 0)) process.exitCode = 1;

/** One run after another: the server is one for all of them. */
async function serverRuns(): Promise<void> {
  const runs = await suite.runs("server");
  if (!runs.some(isWanted)) return;
  const server = await started(suite.programs.server);
  try {
    for (const version of versions) {
      const own = runs.filter((run) => run.version === version);
      const wanted = own.filter(isWanted);
      if (wanted.length === own.length) (await runServer(suite, server.url, version, own)).forEach(tell);
      else for (const run of wanted) (await runServerOnce(suite, server.url, run)).forEach(tell);
    }
  } finally {
    await server.stop();
  }
}

/** What is green is told only to who asks for it. */
function tell(outcome: Outcome): void {
  outcomes.push(outcome);
  const wrong = wrongIn(outcome);
  if (wrong.length > 0 || filters.length > 0) console.log(`${wrong.length > 0 ? "RED  " : "green"} ${nameOf(outcome)}`);
  for (const line of wrong) console.log(line.replaceAll(/^/gm, "      "));
}
