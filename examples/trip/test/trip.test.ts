import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { memoryPair } from "@x/jsonrpc";
import type { ElicitResult } from "@x/mcp";
import { type Client, type ConnectOptions, connect } from "@x/mcp/client";
import { run } from "../../../scripts/run.ts";
import { traveller } from "../traveller.ts";
import { createTrips } from "../trip.ts";

const lifecycles = ["stateless", "handshake"] as const;

/** A client of the trips' server in this process. `lines` are what person and model are asked and say. */
async function meet(options: ConnectOptions): Promise<{ client: Client; lines: string[] }> {
  const [near, far] = memoryPair();
  createTrips().connect(far);
  const lines: string[] = [];
  const client = await connect(
    near,
    { name: "test", version: "1.0.0" },
    { ...traveller((line) => lines.push(line)), ...options },
  );
  return { client, lines };
}

const pathOf = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

describe("the trip", { concurrency: 2 }, () => {
  for (const lifecycle of lifecycles)
    test(`over stdio, as the README shows it: ${lifecycle}`, async () => {
      const outcome = await run(process.execPath, [...process.execArgv, pathOf("host.ts"), "--lifecycle", lifecycle]);
      assert.ok(outcome.ok, outcome.output);
      const [first, ...rest] = outcome.stdout.trimEnd().split("\n");
      assert.equal(first, `spoken   ${lifecycle === "stateless" ? "2026-07-28" : "2025-11-25"}`);
      const readme = readFileSync(pathOf("README.md"), "utf8");
      assert.ok(readme.includes(`\n${rest.join("\n")}\n\`\`\``), outcome.stdout);
    });

  for (const lifecycle of lifecycles) {
    test(`asks each question once, and books once: ${lifecycle}`, async () => {
      const { client, lines } = await meet({ lifecycle });
      const { structuredContent } = await client.callTool("planTrip", { city: "Vienna" });
      assert.equal((structuredContent as { booking: string }).booking, "T1");
      assert.deepEqual(
        lines.map((line) => line.split(" ")[0]),
        ["form", "person", "model", "form", "person", "page", "person"],
      );
    });

    for (const [what, options, expected] of [
      ["nobody wants to say", { elicit: (): ElicitResult => ({ action: "decline" }) }, "Nothing was planned"],
      ["nobody pays", { elicitUrl: (): ElicitResult => ({ action: "cancel" }) }, undefined],
    ] as const)
      test(`${what}: ${lifecycle}`, async () => {
        const { client } = await meet({ lifecycle, ...options });
        const { isError, content, structuredContent } = await client.callTool("planTrip", { city: "Ghent" });
        if (expected !== undefined) assert.deepEqual([isError, content], [true, [{ type: "text", text: expected }]]);
        else assert.equal("booking" in (structuredContent as object), false);
      });
  }
});
