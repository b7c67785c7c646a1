import assert from "node:assert/strict";
import { type Scenarios, all, connected } from "./scenario.ts";

/** What every client can do. */
export const scenarios: Scenarios = {
  // The suite's server declares no tools, for which `client.tools()` would not ask.
  initialize: connected(async (client) => {
    await client.request("tools/list");
  }),

  tools_call: connected(async (client) => {
    await all(client.tools());
    const { isError } = await client.callTool("add_numbers", { a: 5, b: 3 });
    assert.ok(!isError);
  }),

  // Accepting a form without content takes its defaults.
  "elicitation-sep1034-client-defaults": connected(
    async (client) => {
      const { isError } = await client.callTool("test_client_elicitation_defaults", {});
      assert.ok(!isError);
    },
    { elicit: () => ({ action: "accept" }) },
  ),

  "sse-retry": connected(async (client) => {
    const { isError } = await client.callTool("test_reconnection", {});
    assert.ok(!isError);
  }),

  "request-metadata": connected(
    async (client) => {
      await client.request("tools/list");
    },
    {
      elicit: () => ({ action: "decline" }),
      sample: () => ({ role: "assistant", content: { type: "text", text: "Nothing" }, model: "none" }),
      roots: [],
    },
  ),
};
