// The official client of the second generation reads, gets, completes, logs and watches.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { library, visit } from "./library.ts";

describe("@modelcontextprotocol/client reads, gets, completes and watches over stdio", () => {
  for (const stateless of [false, true])
    test(stateless ? "without a handshake" : "with a handshake", async (t) => {
      const mode = stateless ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {};
      const client = new Client({ name: "official", version: "2.0.0" }, mode);
      let tell!: (uri: unknown) => void;
      const updated = new Promise<unknown>((resolve) => (tell = resolve));
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => tell(params.uri));
      const logged: unknown[] = [];
      client.setNotificationHandler("notifications/message", ({ params }) => void logged.push(params.level));
      await client.connect(new StdioClientTransport({ ...library, stderr: "inherit" }));
      t.after(() => client.close());

      // It takes -32002 for -32602 by itself, and asks for logs in each request where there is no handshake.
      if (!stateless) await client.setLoggingLevel("warning");
      const meta = stateless ? { "io.modelcontextprotocol/logLevel": "warning" } : {};
      await visit(client, -32602, meta);
      assert.deepEqual(logged, ["warning"]);

      const uri = "library://clock";
      if (stateless) {
        const subscription = await client.listen({ resourceSubscriptions: [uri] });
        assert.equal(await updated, uri);
        await subscription.close();
      } else {
        await client.subscribeResource({ uri });
        assert.equal(await updated, uri);
        await client.unsubscribeResource({ uri });
      }
    });
});
