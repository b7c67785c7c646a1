import { after, describe, test } from "node:test";
import { runClient } from "../suite/client.ts";
import type { Outcome, Version } from "../suite/run.ts";
import { Suite } from "../suite/suite.ts";
import { assertGreen, assertInDocs } from "./green.ts";

/** Registers a test for each run of the client in these versions, and one for what the docs say of each version. */
export async function testClient(...versions: readonly Version[]): Promise<void> {
  const suite = await Suite.open();
  after(() => suite.close());
  const runs = await suite.runs("client");
  for (const version of versions) {
    const outcomes: Outcome[] = [];
    describe(`client ${version}`, { concurrency: 2 }, () => {
      for (const run of runs.filter((each) => each.version === version))
        test(run.scenario, async () => {
          const outcome = await runClient(suite, run);
          outcomes.push(outcome);
          assertGreen(outcome);
        });
    });
    test(`client ${version}: the totals are in docs/conformance.md`, () => assertInDocs(outcomes));
  }
}
