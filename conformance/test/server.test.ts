import { after, test } from "node:test";
import { versions } from "../suite/run.ts";
import { runServer } from "../suite/server.ts";
import { started } from "../suite/started.ts";
import { Suite } from "../suite/suite.ts";
import { assertGreen, assertInDocs } from "./green.ts";

const suite = await Suite.open();
const server = await started(suite.programs.server);
after(async () => {
  await server.stop();
  suite.close();
});
const runs = await suite.runs("server");

for (const version of versions)
  test(`server ${version}`, async (t) => {
    const own = runs.filter((run) => run.version === version);
    const outcomes = await runServer(suite, server.url, version, own);
    for (const outcome of outcomes) await t.test(outcome.scenario, () => assertGreen(outcome));
    await t.test("the totals are in docs/conformance.md", () => assertInDocs(outcomes));
  });
