import { type Scenarios, all, connected } from "./scenario.ts";

/** Calls that come back with questions. */
export const scenarios: Scenarios = {
  "sep-2322-client-request-state": connected(
    async (client) => {
      await all(client.tools());
      // At once, so that what belongs to one could show up in the other.
      await Promise.all([client.callTool("test_mrtr_echo_state", {}), client.callTool("test_mrtr_unrelated", {})]);
      await client.callTool("test_mrtr_no_state", {});
      await client.callTool("test_mrtr_no_result_type", {});
    },
    { elicit: () => ({ action: "accept", content: { confirmed: true } }) },
  ),
};
