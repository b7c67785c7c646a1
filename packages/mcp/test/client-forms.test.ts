import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ElicitFormParams, ElicitResult, JsonSchema } from "@x/mcp";
import { McpServer } from "@x/mcp/server";
import { both, joined, scripted } from "./joined.ts";

const person = {
  type: "object",
  properties: {
    name: { type: "string" },
    age: { type: "integer", minimum: 0 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive"], default: "active" },
    verified: { type: "boolean", default: true },
    colours: { type: "array", items: { type: "string", enum: ["red", "blue"] }, default: ["red"] },
  },
  required: ["name"],
};

const defaults = { score: 95.5, status: "active", verified: true, colours: ["red"] };

/** What reaches the server when its form is answered so. */
async function answered(version: string, answer: ElicitResult): Promise<unknown> {
  const server = new McpServer({ name: "asks", version: "1.0.0" });
  let content: unknown;
  server.tool("ask", {}, async (_args, ctx) => {
    content = await ctx.elicit("person", { message: "Who?", schema: person });
    return "asked";
  });
  const client = await joined(server, version, { elicit: () => answer, onError: () => {} });
  const result = await client.callTool("ask");
  if (result.isError) throw new Error(JSON.stringify(result.content));
  return content;
}

for (const version of both)
  describe(`forms, ${version}`, () => {
    test("what is left out gets the form's defaults (K01, ELIC-21, ELIC-64)", async () => {
      const content = { name: "Ann", status: "inactive" };
      assert.deepEqual(await answered(version, { action: "accept", content }), {
        accepted: true,
        action: "accept",
        content: { ...defaults, ...content },
      });
    });

    const wrong: readonly object[] = [
      {},
      { name: 42 },
      { name: "Ann", age: -5 },
      { name: "Ann", age: 1.5 },
      { name: "Ann", status: "gone" },
      { name: "Ann", colours: ["green"] },
    ];
    for (const content of wrong)
      test(`${JSON.stringify(content)} doesn't fit, and never leaves (K01, ELIC-64)`, async () => {
        await assert.rejects(answered(version, { action: "accept", content } as ElicitResult));
      });

    test("declining and cancelling send nothing along (ELIC-22, ELIC-23)", async () => {
      for (const action of ["decline", "cancel"] as const)
        assert.deepEqual(await answered(version, { action, content: { name: "Ann" } }), { accepted: false, action });
    });
  });

/** How a client answers a request for `params`. */
async function asked(params: object, answer: ElicitResult): Promise<{ outcome: unknown; shown: ElicitFormParams[] }> {
  const shown: ElicitFormParams[] = [];
  const elicit = (form: ElicitFormParams): ElicitResult => {
    shown.push(form);
    return answer;
  };
  const { peer } = await scripted("2025-11-25", {}, {}, { elicit, onError: () => {} });
  const outcome = await peer.request("elicitation/create", params).catch((error: unknown) => error);
  return { outcome, shown };
}

test("the person sees the form as it came, its defaults in it (ELIC-08, ELIC-09, ELIC-13, ELIC-21)", async () => {
  for (const mode of [{}, { mode: "form" }]) {
    const { outcome, shown } = await asked(
      { ...mode, message: "Who?", requestedSchema: person },
      { action: "decline" },
    );
    assert.deepEqual(outcome, { action: "decline" });
    assert.deepEqual(shown[0]?.requestedSchema, person);
  }
});

for (const requestedSchema of [undefined, null, 5, {}, { type: "object" }] as readonly (JsonSchema | undefined)[])
  test(`a form whose schema is ${JSON.stringify(requestedSchema)} is refused (K01)`, async () => {
    const { outcome, shown } = await asked({ message: "Who?", requestedSchema }, { action: "accept", content: {} });
    assert.deepEqual(shown, []);
    const { code, message } = outcome as { code: number; message: string };
    assert.deepEqual(
      [code, message],
      [-32602, 'elicitation/create: "requestedSchema" must be an object with properties'],
    );
  });

test("what doesn't fit says why, here and not there (K01)", async () => {
  const faults: unknown[] = [];
  const options = {
    elicit: (): ElicitResult => ({ action: "accept", content: { name: "Ann", age: -5 } }),
    onError: (error: unknown) => void faults.push(error),
  };
  const { peer } = await scripted("2025-11-25", {}, {}, options);
  await assert.rejects(peer.request("elicitation/create", { message: "Who?", requestedSchema: person }), {
    code: -32603,
    message: "Internal error",
  });
  assert.match(
    String(faults[0]),
    /TypeError: "elicit" answered with what does not fit the form: age: must be >= 0 \(at \/age\)/,
  );
});
