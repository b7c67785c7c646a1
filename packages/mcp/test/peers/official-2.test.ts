// The official client of the second generation (@modelcontextprotocol/client) visits examples/office.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { isLate, office, visit } from "./office.ts";

const modes: readonly { name: string; mode?: VersionNegotiationMode; version: string }[] = [
  { name: "its default, a handshake", version: "2025-11-25" },
  { name: "stateless", mode: { pin: "2026-07-28" }, version: "2026-07-28" },
  { name: "whichever the server speaks", mode: "auto", version: "2026-07-28" },
];

describe("@modelcontextprotocol/client lists and calls the office's tools over stdio", () => {
  for (const { name, mode, version } of modes)
    test(name, async (t) => {
      const place = office();
      let tell!: () => void;
      const changed = new Promise<void>((resolve) => (tell = resolve));
      const client = new Client(
        { name: "official", version: "2.0.0" },
        { ...(mode && { versionNegotiation: { mode } }), listChanged: { tools: { onChanged: tell } } },
      );
      const errors: Error[] = [];
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has no other way
      client.onerror = (error) => errors.push(error);
      await client.connect(new StdioClientTransport({ ...place, stderr: "ignore" }));
      t.after(() => client.close());

      assert.equal(client.getNegotiatedProtocolVersion(), version);
      assert.equal(client.getServerVersion()?.name, "office");
      await visit(place, {
        tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
        call: async (tool, args, options) => await client.callTool({ name: tool, arguments: args }, options),
        changed,
      });
      assert.deepEqual(
        errors.filter((error) => !isLate(error)),
        [],
      );
    });
});
