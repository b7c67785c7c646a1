import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RpcError } from "@x/jsonrpc";
import { CapabilityError, type Change } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { both, joined, scripted, settle, until } from "./joined.ts";

function office(): { server: McpServer; watched: string[] } {
  const server = new McpServer({ name: "office", version: "1.0.0" });
  const watched: string[] = [];
  const watch = (uri: string): (() => void) => {
    watched.push(`+${uri}`);
    return () => void watched.push(`-${uri}`);
  };
  server.resource("room:{id}", { watch }, ({ id }) => id);
  return { server, watched };
}

const everything = { resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } };

for (const version of both)
  describe(`subscribing, ${version}`, () => {
    test("to lists and to resources is one call (RES-20, RES-22, SUBS-01)", async () => {
      const { server } = office();
      const client = await joined(server, version);
      const changes: Change[] = [];
      const hear = (change: Change): void => void changes.push(change);
      const subscription = client.subscribe({ tools: true, resources: true, uris: ["room:1", "room:2"] }, hear);
      assert.deepEqual(await subscription.ready, { resources: true, uris: ["room:1", "room:2"] });
      server.resourceUpdated("room:1");
      server.resourceUpdated("room:3");
      server.resource("room:plan", {}, () => "");
      await settle();
      assert.deepEqual(
        changes.toSorted((a) => ("list" in a ? -1 : 1)),
        [{ list: "resources" }, { resource: "room:1" }],
      );
      await subscription.close();
      server.resourceUpdated("room:1");
      await settle();
      assert.equal(changes.length, 2);
    });

    test("reports what a hearer throws, at once or later, also while the code that hears is loaded", async () => {
      const { server } = office();
      const errors: unknown[] = [];
      const client = await joined(server, version, { onError: (error, origin) => void errors.push(error, origin) });
      let heard = 0;
      const subscriptions = [
        () => {
          throw new Error("at once");
        },
        () => Promise.reject(new Error("later")),
        () => heard++,
      ].map((hear) => client.subscribe({ resources: true }, hear));
      if (client.revision.lifecycle === "stateless") await Promise.all(subscriptions.map(({ ready }) => ready));
      server.resource("room:plan", {}, () => "");
      await until(() => heard > 0);
      assert.deepEqual([errors.map(String), heard], [["Error: at once", "handler", "Error: later", "handler"], 1]);
      await client.close();
    });

    test("several times to one resource starts and stops it once (G07)", async () => {
      const { server, watched } = office();
      const client = await joined(server, version);
      const heard: string[] = [];
      const one = client.subscribe({ uris: ["room:1", "room:1"] }, () => heard.push("one"));
      const two = client.subscribe({ uris: ["room:1"] }, () => heard.push("two"));
      await Promise.all([one.ready, two.ready]);
      server.resourceUpdated("room:1");
      await settle();
      assert.deepEqual(heard.toSorted(), ["one", "two"]);
      await one.close();
      await one.close();
      server.resourceUpdated("room:1");
      await settle();
      assert.deepEqual([heard.length, watched], [3, ["+room:1"]]);
      await two.close();
      await settle();
      assert.deepEqual(watched, ["+room:1", "-room:1"]);
      await using again = client.subscribe({ uris: ["room:1"] }, () => {});
      await again.ready;
      assert.equal(watched.length, 3);
    });

    test("leaves out what the server doesn't agree to (SUBS-05, SUBS-07)", async () => {
      const client = await joined(office().server, version);
      await using subscription = client.subscribe({ prompts: true, uris: ["room:1", "house:1"] }, () => {});
      assert.deepEqual(await subscription.ready, { uris: ["room:1"] });
    });

    test("is not tried where the server lets nobody watch resources (CAP-03)", async () => {
      const { client, asked } = await scripted(version, { resources: { listChanged: true } }, {});
      const subscription = client.subscribe({ resources: true, uris: ["room:1"] }, () => {});
      await assert.rejects(subscription.ready, CapabilityError);
      await subscription.close();
      assert.deepEqual(asked, []);
    });

    test("ends with the connection", async () => {
      const { server, watched } = office();
      const client = await joined(server, version);
      const subscription = client.subscribe({ uris: ["room:1"] }, () => {});
      await subscription.ready;
      await client.close();
      await subscription.close();
      await assert.rejects(client.subscribe({ uris: ["room:1"] }, () => {}).ready, { name: "ClosedError" });
      await until(() => watched.length === 2);
      assert.deepEqual(watched, ["+room:1", "-room:1"]);
    });
  });

describe("subscribing with a handshake", () => {
  test("asks once for each resource, one request after the other (RES-20)", async () => {
    let open!: () => void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { client, asked } = await scripted("2025-11-25", everything, {
      "resources/subscribe": async () => (await gate, {}),
      "resources/unsubscribe": () => ({}),
    });
    await client.subscribe({ tools: true }, () => {}).ready;
    const one = client.subscribe({ uris: ["x:1"] }, () => {});
    const two = client.subscribe({ uris: ["x:1"] }, () => {});
    const closed = Promise.all([one.close(), two.close()]);
    const three = client.subscribe({ uris: ["x:1"] }, () => {});
    await settle();
    assert.deepEqual(
      asked.map(({ method }) => method),
      ["resources/subscribe"],
    );
    open();
    await Promise.all([closed, three.ready]);
    assert.deepEqual(asked, [
      { method: "resources/subscribe", params: { uri: "x:1" } },
      { method: "resources/unsubscribe", params: { uri: "x:1" } },
      { method: "resources/subscribe", params: { uri: "x:1" } },
    ]);
  });

  test("a refused resource is not held against the next one", async () => {
    let refuse = true;
    const { client } = await scripted("2025-11-25", everything, {
      "resources/subscribe": () => {
        if (refuse) throw new RpcError(-32002, "Resource not found");
        return {};
      },
    });
    const one = client.subscribe({ tools: true, uris: ["x:1"] }, () => {});
    assert.deepEqual(await one.ready, { tools: true });
    await one.close();
    refuse = false;
    assert.deepEqual(await client.subscribe({ uris: ["x:1"] }, () => {}).ready, { uris: ["x:1"] });
  });

  test("hears of parts of what was asked for, and of nothing beside it (RES-21)", async () => {
    const { client, peer } = await scripted("2025-11-25", everything, { "resources/subscribe": () => ({}) });
    const heard: unknown[] = [];
    const subscription = client.subscribe({ uris: ["file:///a", "dir:x/"] }, (change) => heard.push(change));
    await subscription.ready;
    for (const uri of ["file:///a", "file:///a/b", "file:///a#c", "file:///ab", "file:///", "dir:x/y", 5])
      await peer.notify("notifications/resources/updated", { uri });
    await peer.notify("notifications/resources/updated");
    await settle();
    assert.deepEqual(
      heard,
      ["file:///a", "file:///a/b", "file:///a#c", "dir:x/y"].map((resource) => ({ resource })),
    );
  });
});

const listening = (answer: (params: { readonly [name: string]: unknown }) => unknown, timeout?: number) =>
  scripted("2026-07-28", everything, { "subscriptions/listen": answer }, { timeout });

describe("subscribing without a handshake", () => {
  test("each subscription hears its own (SUBS-08, SUBS-09, SUBS-10)", async () => {
    const { client, peer } = await listening(() => new Promise(() => {}));
    const heard: string[] = [];
    client.subscribe({ uris: ["x:1"] }, () => heard.push("one"));
    client.subscribe({ uris: ["x:1"] }, () => heard.push("two"));
    const updated = (subscription: unknown): Promise<void> =>
      peer.notify("notifications/resources/updated", {
        uri: "x:1",
        _meta: { "io.modelcontextprotocol/subscriptionId": subscription },
      });
    await updated("listen-1");
    await updated("listen-3");
    await updated(undefined);
    await updated("listen-2");
    await until(() => heard.includes("two"));
    assert.deepEqual(heard, ["one", "two"]);
    await client.close();
  });

  test("only the agreement has to come in time (H08)", async () => {
    const late = await listening(() => new Promise(() => {}), 20);
    await assert.rejects(late.client.subscribe({ tools: true }, () => {}).ready, {
      name: "TimeoutError",
      method: "subscriptions/listen",
      timeout: 20,
    });
    const { client, peer } = await listening(() => new Promise(() => {}), 40);
    const heard: unknown[] = [];
    const subscription = client.subscribe({ tools: true }, (change) => heard.push(change));
    const _meta = { "io.modelcontextprotocol/subscriptionId": "listen-1" };
    await peer.notify("notifications/subscriptions/acknowledged", { notifications: { toolsListChanged: true }, _meta });
    assert.deepEqual(await subscription.ready, { tools: true });
    await new Promise((resolve) => setTimeout(resolve, 60));
    await peer.notify("notifications/tools/list_changed", { _meta });
    await settle();
    assert.deepEqual(heard, [{ list: "tools" }]);
  });

  test("an end at once means that there is no such feed (SUBS-15)", async () => {
    const { client } = await listening(() => ({ resultType: "complete" }));
    assert.deepEqual(await client.subscribe({ tools: true }, () => {}).ready, {});
  });

  test("a refusal rejects", async () => {
    const { client } = await listening(() => {
      throw new RpcError(-32601, "Method not found");
    });
    await assert.rejects(client.subscribe({ tools: true }, () => {}).ready, { code: -32601 });
  });
});
