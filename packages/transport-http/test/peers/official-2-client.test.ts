// Clients of the second official generation (@modelcontextprotocol/client) visit a server of ours over HTTP.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { eventually } from "../serve.ts";
import { shop } from "./shop.ts";

const modes: readonly { readonly name: string; readonly mode?: VersionNegotiationMode; readonly version: string }[] = [
  { name: "its default, a handshake", version: "2025-11-25" },
  { name: "stateless", mode: { pin: "2026-07-28" }, version: "2026-07-28" },
  { name: "whichever the server speaks", mode: "auto", version: "2026-07-28" },
];

const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? "";

describe("@modelcontextprotocol/client over HTTP", () => {
  for (const { name, mode, version } of modes)
    test(`${name}: list, calls at once, progress, a question, cancel, a change, errors`, async (t) => {
      const place = await shop(t);
      let changes = 0;
      const client = new Client(
        { name: "official", version: "2.0.0" },
        {
          ...(mode && { versionNegotiation: { mode } }),
          capabilities: { elicitation: {} },
          listChanged: { tools: { onChanged: () => void changes++ } },
        },
      );
      client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { count: 3 } }));
      await client.connect(new StreamableHTTPClientTransport(new URL(place.url)));
      t.after(() => client.close());
      assert.equal(client.getNegotiatedProtocolVersion(), version);

      assert.equal((await client.listTools()).tools.length, 7);
      const prices = await Promise.all(
        ["a", "ü", " padded "].map((item) => client.callTool({ name: "price", arguments: { item } })),
      );
      assert.deepEqual(prices.map(text), ["a costs 7", "ü costs 7", " padded  costs 7"]);
      const progress: number[] = [];
      const onprogress = (report: { progress: number }): void => void progress.push(report.progress);
      assert.equal(text(await client.callTool({ name: "count" }, { onprogress })), "counted");
      assert.deepEqual(progress, [1, 2, 3]);
      assert.equal(text(await client.callTool({ name: "order" })), "ordered 3");
      const failed = await client.callTool({ name: "fail" });
      assert.deepEqual([failed.isError, text(failed)], [true, "out of stock"]);
      await assert.rejects(client.callTool({ name: "nothing" }), /Unknown tool/);
      const stop = new AbortController();
      const waiting = client.callTool({ name: "wait" }, { signal: stop.signal });
      setTimeout(() => stop.abort("bored"), 50);
      await assert.rejects(waiting);
      await eventually(() => place.aborted.length === 1, "the abort");
      await client.callTool({ name: "grow" });
      await eventually(() => changes > 0, "the change");
    });

  test("E04: it comes back for an answer whose stream was closed", async (t) => {
    const place = await shop(t);
    const client = new Client({ name: "official", version: "2.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(place.url)));
    t.after(() => client.close());
    assert.equal(text(await client.callTool({ name: "slow" })), "came back");
  });
});
