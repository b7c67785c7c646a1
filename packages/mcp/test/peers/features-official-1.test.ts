// The official client of the first generation reads, gets, completes, logs and watches.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { library, visit } from "./library.ts";

test("@modelcontextprotocol/sdk reads, gets, completes, logs and watches over stdio", async (t) => {
  const client = new Client({ name: "official", version: "1.0.0" });
  const logged: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params));
  let tell!: (uri: string) => void;
  const updated = new Promise<string>((resolve) => (tell = resolve));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => tell(params.uri));
  await client.connect(new StdioClientTransport({ ...library, stderr: "inherit" }));
  t.after(() => client.close());

  await client.setLoggingLevel("warning");
  await visit(client, -32002);
  assert.deepEqual(logged, [{ level: "warning", logger: "desk", data: "someone likes crime" }]);

  assert.deepEqual(await client.subscribeResource({ uri: "library://clock" }), {});
  assert.equal(await updated, "library://clock");
  assert.deepEqual(await client.unsubscribeResource({ uri: "library://clock" }), {});
  await assert.rejects(client.subscribeResource({ uri: "library://nothing" }), { code: -32002 });
});
