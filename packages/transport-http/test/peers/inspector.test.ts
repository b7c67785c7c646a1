// The MCP Inspector's command line lists and calls tools of a server of ours, over HTTP.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { type TestContext, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { shop } from "./shop.ts";

const run = promisify(execFile);
const program = fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector-cli/build/cli.js"));

/** What it prints. It looks for its own package.json relative to where it is run. */
async function inspector(...args: string[]): Promise<{ readonly [name: string]: unknown }> {
  const { stdout } = await run(process.execPath, [program, "--cli", ...args], {
    cwd: dirname(program),
    timeout: 60_000,
  });
  return JSON.parse(stdout.slice(stdout.indexOf("{"))) as { readonly [name: string]: unknown };
}

const visit = async (t: TestContext, transport: string): Promise<void> => {
  const { url } = await shop(t, { oldClients: transport === "sse" });
  const at = [url, "--transport", transport];
  const { tools } = (await inspector(...at, "--method", "tools/list")) as { tools: { name: string }[] };
  assert.deepEqual(tools.map(({ name }) => name).slice(0, 2), ["price", "count"]);
  const call = await inspector(...at, "--method", "tools/call", "--tool-name", "price", "--tool-arg", "item=ball");
  assert.deepEqual(call["content"], [{ type: "text", text: "ball costs 7" }]);
};

describe("@modelcontextprotocol/inspector-cli over HTTP", () => {
  test("streamable", (t) => visit(t, "http"));
  test("the transport of 2024-11-05", (t) => visit(t, "sse"));
});
