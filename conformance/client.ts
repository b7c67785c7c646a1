// The client that the official suite starts, once for each scenario: `client.ts URL`, with the scenario, the protocol
// version and what else it needs to know in the environment.
import type { Scenario, Scenarios, Stage } from "./client/scenario.ts";

/** Loaded only where they are needed: a client starts nearly sixty times in a run. */
const groups: readonly (() => Promise<{ readonly scenarios: Scenarios }>)[] = [
  () => import("./client/core.ts"),
  () => import("./client/asking.ts"),
  () => import("./client/headers.ts"),
  () => import("./client/schemas.ts"),
  () => import("./client/skills.ts"),
];

async function scenarioNamed(name: string): Promise<Scenario> {
  if (name.startsWith("auth/")) return (await import("./client/auth.ts")).authorize;
  for (const load of groups) {
    const { [name]: found } = (await load()).scenarios;
    if (found) return found;
  }
  throw new Error(`Unknown scenario ${JSON.stringify(name)}`);
}

function stageOf({ argv, env }: NodeJS.Process): Stage {
  return {
    url: argv.at(-1) ?? "",
    scenario: env["MCP_CONFORMANCE_SCENARIO"] ?? "",
    version: env["MCP_CONFORMANCE_PROTOCOL_VERSION"] ?? "",
    context: JSON.parse(env["MCP_CONFORMANCE_CONTEXT"] ?? "{}"),
  };
}

const stage = stageOf(process);
await (await scenarioNamed(stage.scenario))(stage);
