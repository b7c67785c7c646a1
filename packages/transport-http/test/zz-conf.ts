import { createServer } from "node:http";
import { McpServer } from "@x/mcp/server";
import { nodeListener } from "../src/index.ts";
const server = new McpServer({ name: "s", version: "1" });
const png = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);
server.tool("test_simple_text", { description: "d" }, () => "This is a simple text response for testing.");
server.tool("test_tool_with_logging", { description: "d" }, async (_a, { log }) => {
  for (const t of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
    log.info(t);
    await new Promise((r) => setTimeout(r, 50));
  }
  return "ok";
});
server.resource(
  "test://static-text",
  { name: "t", description: "d", mimeType: "text/plain" },
  () => "This is the content of the static text resource.",
);
server.resource("test://static-binary", { name: "b", description: "d", mimeType: "image/png" }, () => png);
server.resource(
  "test://template/{id}/data",
  { name: "tpl", description: "d", mimeType: "application/json" },
  ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
);
server.resource("test://watched-resource", { name: "w", description: "d" }, () => "w");
server.prompt("test_simple_prompt", { description: "d" }, () => "This is a simple prompt for testing.");
server.prompt(
  "test_prompt_with_arguments",
  {
    description: "d",
    arguments: [
      { name: "arg1", required: true, description: "x" },
      { name: "arg2", required: true, description: "x" },
    ],
    complete: { arg1: (t) => [`${t}Value1`] },
  },
  ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
);
server.prompt(
  "test_prompt_with_embedded_resource",
  { description: "d", arguments: [{ name: "resourceUri", required: true, description: "x" }] },
  ({ resourceUri }) => [
    {
      role: "user",
      content: {
        type: "resource",
        resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." },
      },
    },
    { role: "user", content: { type: "text", text: "Please process the embedded resource above." } },
  ],
);
server.prompt("test_prompt_with_image", { description: "d" }, () => [
  { role: "user", content: { type: "image", mimeType: "image/png", data: Buffer.from(png).toString("base64") } },
  { role: "user", content: { type: "text", text: "Please analyze the image above." } },
]);
server.prompt("test_input_required_result_prompt", { description: "d" }, async (_a, ctx) => {
  const r = await ctx.elicit("user_context", {
    message: "What context should the prompt use?",
    schema: { type: "object", properties: { context: { type: "string" } }, required: ["context"] },
  });
  return `ctx ${JSON.stringify(r)}`;
});
createServer(nodeListener(server)).listen(3999, "127.0.0.1");
