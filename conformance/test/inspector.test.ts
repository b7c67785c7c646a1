import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { run } from "../../scripts/run.ts";
import { type Started, started } from "../suite/started.ts";

const inspector = fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector-cli/build/cli.js"));
const fixture = fileURLToPath(new URL("../../fixtures/mcp-server.ts", import.meta.url));
const program = [...process.execArgv, fixture];

/** What the Inspector prints. It looks for its package.json in the folder above the one that it is started in. */
async function inspect(...args: readonly string[]): Promise<unknown> {
  const { ok, output, stdout } = await run(process.execPath, [inspector, "--cli", ...args], {
    cwd: import.meta.dirname,
  });
  assert.ok(ok, output);
  return JSON.parse(stdout);
}

describe("the MCP Inspector's command line", () => {
  let server: Started;
  before(async () => {
    server = await started(...program);
  });
  after(() => server.stop());

  const transports = {
    stdio: () => [process.execPath, ...program, "--stdio"],
    http: () => [server.url, "--transport", "http"],
  };
  for (const [name, target] of Object.entries(transports)) {
    test(`${name}: lists tools`, async () => {
      const { tools } = (await inspect(...target(), "--method", "tools/list")) as { tools: { name: string }[] };
      assert.equal(tools[0]?.name, "test_simple_text");
      assert.ok(tools.some((tool) => tool.name === "echo"));
    });

    test(`${name}: calls a tool`, async () => {
      const call = ["--method", "tools/call", "--tool-name", "echo", "--tool-arg", "text=hé"];
      assert.deepEqual(await inspect(...target(), ...call), { content: [{ type: "text", text: "hé" }] });
    });

    test(`${name}: reads a resource, gets a prompt`, async () => {
      const read = ["--method", "resources/read", "--uri", "test://template/7/data"];
      const { contents } = (await inspect(...target(), ...read)) as { contents: { text: string }[] };
      assert.equal(JSON.parse(contents[0]?.text ?? "").id, "7");
      const get = ["--method", "prompts/get", "--prompt-name", "test_prompt_with_arguments"];
      const prompt = await inspect(...target(), ...get, "--prompt-args", "arg1=a", "arg2=b");
      const text = "Prompt with arguments: arg1='a', arg2='b'";
      assert.deepEqual(prompt, { messages: [{ role: "user", content: { type: "text", text } }] });
    });
  }
});
