import { run } from "../../fixtures/mcp-auth-client.ts";
import type { Scenario } from "./scenario.ts";

/** All scenarios of authorization: what they ask for is in the client of the fixtures. */
export const authorize: Scenario = ({ url, scenario, context, version }) =>
  run(url, scenario, context as Parameters<typeof run>[2], version);
