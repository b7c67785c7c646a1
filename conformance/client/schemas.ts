import assert from "node:assert/strict";
import { type Scenarios, all, connected } from "./scenario.ts";

/** What clients do, and don't do, with the schemas of tools. */
export const scenarios: Scenarios = {
  "json-schema-2020-12-preservation": connected(async (client) => {
    const tools = await all(client.tools());
    const tool = tools.find(({ name }) => name === "json_schema_2020_12_tool");
    assert.ok(tool);
    await client.callTool("json_schema_echo", { schema: tool.inputSchema });
  }),

  // Whoever followed the reference in a schema would fetch it now.
  "json-schema-ref-no-deref": connected(async (client) => {
    await all(client.tools());
  }),
};
