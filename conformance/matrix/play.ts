import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Passing } from "@x/jsonrpc/testing";
import type { Revision } from "@x/mcp";
import type { Carrier } from "./carriers.ts";
import { Host } from "./host.ts";
import { checkConversation } from "./invariants.ts";
import { scenario } from "./scenario.ts";

/** What two peers of a test speak, and how they meet. */
export interface Pair {
  readonly carrier: Carrier;
  readonly spoken: readonly Revision[];
  readonly served: readonly Revision[];
  /** What they should agree on. */
  readonly shared: Revision;
}

/** ms that a probe may take before it counts as ignored: a busy machine is no old server. */
const PATIENT = 20_000;

/** Plays the whole scenario, as far as the revision has it. */
export async function play(t: TestContext, { carrier, spoken, served, shared: revision }: Pair): Promise<void> {
  const passings: Passing[] = [];
  const host = new Host();
  const to = await carrier.connect(t, served, passings);
  const client = await host.connect(to, { revisions: spoken, hedge: PATIENT });
  host.client = client;
  t.after(() => client.close());
  assert.equal(client.revision.version, revision.version);
  for (const step of scenario) {
    if (step.in && !step.in(revision)) continue;
    try {
      await step.run({ client, host, revision });
    } catch (error) {
      throw new Error(`"${step.name}" fails`, { cause: error });
    }
  }
  await client.close();
  if (passings.length > 0) checkConversation(revision, passings);
}
