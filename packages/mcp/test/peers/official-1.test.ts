// The official client of the first generation (@modelcontextprotocol/sdk) visits examples/office.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { type Result, isLate, office, visit } from "./office.ts";

test("@modelcontextprotocol/sdk lists and calls the office's tools over stdio", async (t) => {
  const place = office();
  const client = new Client({ name: "official", version: "1.0.0" });
  const changed = new Promise<void>((resolve) =>
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
  );
  const errors: Error[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has no other way
  client.onerror = (error) => errors.push(error);
  await client.connect(new StdioClientTransport({ ...place, stderr: "ignore" }));
  t.after(() => client.close());

  assert.deepEqual(client.getServerVersion(), { name: "office", version: "1.0.0", title: "The office" });
  assert.match(client.getInstructions() ?? "", /Rooms can be booked from 08:00 to 18:00/);
  await visit(place, {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, options) =>
      (await client.callTool({ name, arguments: args }, undefined, options)) as Result,
    changed,
  });
  await client.ping();
  assert.deepEqual(
    errors.filter((error) => !isLate(error)),
    [],
  );
});
