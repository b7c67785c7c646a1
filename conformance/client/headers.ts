import { type Scenarios, all, connected } from "./scenario.ts";

/** What HTTP headers repeat of a request. */
export const scenarios: Scenarios = {
  "http-standard-headers": connected(async (client) => {
    for (const { name } of await all(client.tools())) await client.callTool(name, {});
    for (const { uri } of await all(client.resources())) await client.readResource(uri);
    for (const { name } of await all(client.prompts())) await client.getPrompt(name);
  }),

  "http-custom-headers": connected(async (client, { context }) => {
    await all(client.tools());
    const calls = context["toolCalls"] as readonly { readonly name: string; readonly arguments: ToolArguments }[];
    for (const call of calls) await client.callTool(call.name, call.arguments);
  }),

  "http-invalid-tool-headers": connected(async (client) => {
    for (const { name } of await all(client.tools())) await client.callTool(name, { region: "us-west1" });
  }),
};

type ToolArguments = Record<string, unknown>;
