import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ResourceNotFoundError } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { all, both, joined, settle, until } from "./joined.ts";
import { Wire, resultOf, stateless } from "./wire.ts";

const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);

/** Rooms, a plan, and a log of what is watched. */
function office(): { server: McpServer; watched: string[] } {
  const server = new McpServer({ name: "office", version: "1.0.0" });
  const watched: string[] = [];
  const watch = (uri: string): (() => void) => {
    watched.push(`+${uri}`);
    return () => void watched.push(`-${uri}`);
  };
  server.resource(
    "office://plan",
    {
      name: "plan",
      title: "The plan",
      description: "All floors",
      mimeType: "text/plain",
      size: 9,
      annotations: { audience: ["user"], priority: 0.5, lastModified: "2026-07-28T00:00:00Z" },
      icons: [{ src: "https://office.example/plan.png", mimeType: "image/png", sizes: ["48x48"], theme: "dark" }],
      _meta: { "example.com/floor": 1 },
      watch,
    },
    () => "the plan!",
  );
  server.resource("office://photo", { mimeType: "image/png" }, () => bytes);
  server.resource("office://rooms/{id}{?day}", { mimeType: "text/plain", watch }, ({ id, day = "today" }) =>
    id === "none" ? undefined : `${id} ${day}`,
  );
  return { server, watched };
}

for (const version of both)
  describe(`resources, ${version}`, () => {
    test("are listed with all that is known of them (RES-02, RES-03, RES-06, RES-23, META-02, ICON-01, ICON-02, ICON-11)", async () => {
      const client = await joined(office().server, version);
      const [plan, photo, ...more] = await all(client.resources());
      assert.deepEqual(plan, {
        uri: "office://plan",
        name: "plan",
        title: "The plan",
        description: "All floors",
        mimeType: "text/plain",
        size: 9,
        annotations: { audience: ["user"], priority: 0.5, lastModified: "2026-07-28T00:00:00Z" },
        icons: [{ src: "https://office.example/plan.png", mimeType: "image/png", sizes: ["48x48"], theme: "dark" }],
        _meta: { "example.com/floor": 1 },
      });
      assert.deepEqual([photo?.name, photo?.uri, more], ["office://photo", "office://photo", []]);
    });

    test("are the same on every connection (RES-08)", async () => {
      const { server } = office();
      const [one, two] = [await joined(server, version), await joined(server, version)];
      await one.readResource("office://plan");
      assert.deepEqual(await all(one.resources()), await all(two.resources()));
    });

    test("templates have a list of their own (RES-04)", async () => {
      const client = await joined(office().server, version);
      assert.deepEqual(await all(client.resourceTemplates()), [
        { uriTemplate: "office://rooms/{id}{?day}", name: "office://rooms/{id}{?day}", mimeType: "text/plain" },
      ]);
    });

    test("text is text (RES-11, RES-12)", async () => {
      const client = await joined(office().server, version);
      const { contents } = await client.readResource("office://plan");
      assert.deepEqual(contents, [{ uri: "office://plan", mimeType: "text/plain", text: "the plan!" }]);
    });

    test("bytes come back as they were (RES-12, RES-29)", async () => {
      const client = await joined(office().server, version);
      const { contents } = await client.readResource("office://photo");
      const [content] = contents;
      assert.ok(content && "blob" in content && !("text" in content));
      assert.deepEqual(new Uint8Array(Buffer.from(content.blob, "base64")), bytes);
    });

    test("a template's variables reach the reader, and the URI as it came (RES-11)", async () => {
      const client = await joined(office().server, version);
      const { contents } = await client.readResource("office://rooms/A%20301?day=monday");
      assert.deepEqual(contents, [
        { uri: "office://rooms/A%20301?day=monday", mimeType: "text/plain", text: "A 301 monday" },
      ]);
    });

    test("a reader may give several contents, or a whole result (RES-13)", async () => {
      const server = new McpServer({ name: "files", version: "1.0.0" });
      const files = ["a", "b"].map((name) => ({ uri: `file:///${name}`, text: name }));
      server.resource("file:///all", {}, () => files);
      server.resource("file:///one", {}, () => ({ uri: "file:///elsewhere", blob: "AA==" }));
      server.resource("file:///whole", {}, async () => ({ contents: files, _meta: { "example.com/a": 1 } }));
      const client = await joined(server, version);
      assert.deepEqual((await client.readResource("file:///all")).contents, files);
      assert.deepEqual((await client.readResource("file:///one")).contents, [
        { uri: "file:///elsewhere", blob: "AA==" },
      ]);
      assert.equal((await client.readResource("file:///whole"))._meta?.["example.com/a"], 1);
    });

    for (const uri of ["office://nothing", "office://rooms/none", "office://rooms/a/b", "", "x".repeat(70_000)])
      test(`${uri.slice(0, 20)} is not there (RES-15, RES-16, RES-17, RES-18)`, async () => {
        const client = await joined(office().server, version);
        await assert.rejects(client.readResource(uri), (error: unknown) => {
          assert.ok(error instanceof ResourceNotFoundError);
          assert.equal(error.code, version === "2026-07-28" ? -32602 : -32002);
          assert.equal(error.data.uri, uri);
          return true;
        });
      });

    test("what a reader throws is -32603, and tells nothing (RES-15, RES-17)", async () => {
      const server = new McpServer({ name: "broken", version: "1.0.0" });
      server.resource("x:1", {}, () => {
        throw new Error("the password is 1234");
      });
      server.resource("x:2", {}, () => 5 as unknown as string);
      const client = await joined(server, version);
      for (const uri of ["x:1", "x:2"])
        await assert.rejects(client.readResource(uri), (error: { code?: unknown; message?: string }) => {
          assert.equal(error.code, -32603);
          return !error.message?.includes("1234");
        });
    });

    test("a change of the list is announced, and seen (RES-09, RES-10)", async () => {
      const { server } = office();
      const client = await joined(server, version);
      const changes: unknown[] = [];
      await using watching = client.subscribe({ resources: true }, (change) => changes.push(change));
      assert.deepEqual(await watching.ready, { resources: true });
      const added = server.resource("office://menu", {}, () => "soup");
      server.resource("office://menu/{day}", {}, () => "soup");
      await settle();
      assert.deepEqual(changes, [{ list: "resources" }]);
      added.disable();
      await settle();
      assert.equal(changes.length, 2);
      const uris = (await all(client.resources())).map(({ uri }) => uri);
      assert.ok(!uris.includes("office://menu"));
      await assert.rejects(client.readResource("office://menu"), ResourceNotFoundError);
    });

    test("a reader asks the client in the middle of its work", async () => {
      const server = new McpServer({ name: "asks", version: "1.0.0" });
      server.resource("diary:{day}", {}, async ({ day }, ctx) => {
        const schema = { type: "object", properties: { pin: { type: "string" } }, required: ["pin"] } as const;
        const answer = await ctx.elicit("pin", { message: "PIN?", schema });
        return answer.accepted ? `${day}: ${String(answer.content["pin"])}` : undefined;
      });
      const client = await joined(server, version, { elicit: () => ({ action: "accept", content: { pin: "0000" } }) });
      const { contents } = await client.readResource("diary:monday");
      assert.deepEqual(contents, [{ uri: "diary:monday", text: "monday: 0000" }]);
    });

    test("templates may list what they have, page by page, for each caller anew (RES-07)", async () => {
      const server = new McpServer({ name: "lists", version: "1.0.0" }, { pageSize: 2 });
      let rooms = ["A", "B", "C"];
      server.resource("room:plan", {}, () => "");
      server.resource(
        "room:{id}",
        { list: async () => rooms.map((id) => ({ uri: `room:${id}`, name: id })) },
        ({ id }) => id,
      );
      const client = await joined(server, version);
      const listed = async (): Promise<string[]> => (await all(client.resources())).map(({ uri }) => uri);
      assert.deepEqual(await listed(), ["room:plan", "room:A", "room:B", "room:C"]);
      rooms = ["D"];
      assert.deepEqual(await listed(), ["room:plan", "room:D"]);
    });
  });

const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

const listen = (wire: Wire, id: string | number, resourceSubscriptions: readonly string[]): void =>
  void wire.ask("subscriptions/listen", stateless({ notifications: { resourceSubscriptions } }), id);

describe("watching", () => {
  const updated = "notifications/resources/updated";

  test("goes to those who watch, and to nobody else (RES-20, RES-21, RES-22, SUBS-02, SUBS-08)", async () => {
    const { server } = office();
    const [greeted, other] = [await Wire.greeted(server), await Wire.greeted(server)];
    const listening = Wire.to(server);
    assert.deepEqual(resultOf(await greeted.ask("resources/subscribe", { uri: "office://plan" })), {});
    void listening.ask(
      "subscriptions/listen",
      stateless({ notifications: { resourceSubscriptions: ["office://plan"] } }),
      7,
    );
    await listening.hears(ACKNOWLEDGED);
    server.resourceUpdated("office://plan");
    server.resourceUpdated("office://plan");
    server.resourceUpdated("office://photo");
    await settle();
    assert.deepEqual(greeted.heard(updated), [{ uri: "office://plan" }]);
    assert.deepEqual(other.heard(updated), []);
    assert.deepEqual(listening.heard(updated), [
      { uri: "office://plan", _meta: { "io.modelcontextprotocol/subscriptionId": 7 } },
    ]);
    assert.deepEqual(resultOf(await greeted.ask("resources/unsubscribe", { uri: "office://plan" })), {});
    server.resourceUpdated("office://plan");
    await settle();
    assert.equal(greeted.heard(updated).length, 1);
  });

  test("of what isn't there is refused, or left out of what is agreed (RES-15, SUBS-05)", async () => {
    const { server, watched } = office();
    const greeted = await Wire.greeted(server);
    const { error } = await greeted.ask("resources/subscribe", { uri: "office://nothing" });
    assert.deepEqual([error?.code, error?.data], [-32002, { uri: "office://nothing" }]);
    const listening = Wire.to(server);
    const notifications = { resourceSubscriptions: ["office://nothing", "office://rooms/A301"] };
    void listening.ask("subscriptions/listen", stateless({ notifications }));
    const { notifications: agreed } = (await listening.hears(ACKNOWLEDGED)) as { notifications: object };
    assert.deepEqual(agreed, { resourceSubscriptions: ["office://rooms/A301"] });
    assert.deepEqual(watched, ["+office://rooms/A301"]);
  });

  for (const resourceSubscriptions of ["office://plan", [1], {}])
    test(`${JSON.stringify(resourceSubscriptions)} is no list of URIs (SUBS-19)`, async () => {
      const wire = Wire.to(office().server);
      const { error } = await wire.ask("subscriptions/listen", stateless({ notifications: { resourceSubscriptions } }));
      assert.equal(error?.code, -32602);
    });

  test("is acknowledged before the first update (SUBS-03, SUBS-04)", async () => {
    const server = new McpServer({ name: "eager", version: "1.0.0" });
    server.resource("x:1", { watch: (_uri, tell) => tell() }, () => "");
    const wire = Wire.to(server);
    void wire.ask("subscriptions/listen", stateless({ notifications: { resourceSubscriptions: ["x:1"] } }));
    await until(() => wire.received.length > 1);
    const methods = wire.received.map((message) => ("method" in message ? message.method : undefined));
    assert.deepEqual(methods, ["notifications/subscriptions/acknowledged", updated]);
  });

  test("starts a source for the first and stops it after the last, in whichever way they go (G07)", async () => {
    const { server, watched } = office();
    const plan = "office://plan";
    const greeted = await Wire.greeted(server);
    await greeted.ask("resources/subscribe", { uri: plan });
    await greeted.ask("resources/subscribe", { uri: plan });
    const [asked, cut] = [Wire.to(server), Wire.to(server)];
    listen(asked, "one", [plan, plan, "office://rooms/A301"]);
    listen(asked, "two", [plan]);
    listen(cut, "one", [plan]);
    await Promise.all([asked.hears(ACKNOWLEDGED, 1), cut.hears(ACKNOWLEDGED)]);
    assert.deepEqual(watched, [`+${plan}`, "+office://rooms/A301"]);

    await greeted.ask("resources/unsubscribe", { uri: plan });
    asked.notify("notifications/cancelled", { requestId: "one" });
    await settle();
    assert.deepEqual(watched.slice(2), ["-office://rooms/A301"]);

    await greeted.ask("resources/subscribe", { uri: plan });
    asked.notify("notifications/cancelled", { requestId: "two" });
    cut.close();
    greeted.close();
    // A connection that ends leaves running calls a moment.
    await until(() => watched.length === 4);
    assert.deepEqual(watched.slice(3), [`-${plan}`]);
  });

  test("a source that can't start refuses the subscription, and is tried again (G07)", async () => {
    let broken = true;
    let stopped = 0;
    const server = new McpServer({ name: "broken", version: "1.0.0" });
    const watch = (): (() => void) => {
      if (broken) throw new Error("no such device");
      return () => void stopped++;
    };
    server.resource("x:1", { watch }, () => "");
    const greeted = await Wire.greeted(server);
    assert.equal((await greeted.ask("resources/subscribe", { uri: "x:1" })).error?.code, -32603);
    const listening = Wire.to(server);
    const ask = (): Promise<{ error?: { code: number } }> =>
      listening.ask("subscriptions/listen", stateless({ notifications: { resourceSubscriptions: ["x:1"] } }));
    assert.equal((await ask()).error?.code, -32603);
    broken = false;
    assert.deepEqual(resultOf(await greeted.ask("resources/subscribe", { uri: "x:1" })), {});
    void ask();
    await settle();
    await greeted.ask("resources/unsubscribe", { uri: "x:1" });
    assert.equal(stopped, 0);
    await server.close();
    assert.equal(stopped, 1);
  });

  test("one connection may watch a thousand", async () => {
    const server = new McpServer({ name: "many", version: "1.0.0" });
    server.resource("x:{id}", {}, () => "");
    const wire = await Wire.greeted(server);
    const answers = await Promise.all(
      Array.from({ length: 1001 }, (_, id) => wire.ask("resources/subscribe", { uri: `x:${id}` })),
    );
    assert.deepEqual([answers[999]?.result, answers[1000]?.error?.code], [{}, -32602]);
  });

  test("an update right after a list is told like any other (I07)", async () => {
    const { server } = office();
    const wire = await Wire.greeted(server);
    await wire.ask("resources/subscribe", { uri: "office://plan" });
    await wire.ask("resources/list");
    server.resourceUpdated("office://plan");
    await settle();
    server.resourceUpdated("office://plan");
    await settle();
    assert.equal(wire.heard(updated).length, 2);
  });
});

describe("registering resources", () => {
  test("a server with resources declares them; one without answers -32601 (RES-01, DISC-07, BASE-34)", async () => {
    const wire = Wire.to(office().server);
    const { capabilities } = resultOf(await wire.ask("server/discover", stateless())) as { capabilities: object };
    assert.deepEqual(capabilities, { logging: {}, resources: { subscribe: true, listChanged: true } });
    const bare = Wire.to(new McpServer({ name: "bare", version: "1.0.0" }));
    for (const method of ["resources/list", "resources/templates/list", "resources/read"])
      assert.equal((await bare.ask(method, stateless({ uri: "x:1" }))).error?.code, -32601);
  });

  test("what is no URI, or no template, is refused by name (RES-27)", () => {
    const { server } = office();
    for (const uri of ["", "plan", "a b:c", "1a:b", "x:a b", "x:<b>", "x:{a", "x:{}", "x:}"])
      assert.throws(
        () => server.resource(uri, {}, () => ""),
        (error: Error) => {
          assert.equal(error.name, "TypeError");
          return (
            error.message.startsWith(`resource "${uri}":`) || error.message.startsWith(`resource template "${uri}":`)
          );
        },
      );
    assert.throws(
      () => server.resource("office://plan", {}, () => ""),
      /resource "office:\/\/plan": registered already/,
    );
  });

  test("hints that are none are refused by name (CACHE-03, CACHE-13)", () => {
    const { server } = office();
    for (const cache of [{ ttlMs: -1 }, { ttlMs: 0.5 }, { cacheScope: "all" as "public" }])
      assert.throws(() => server.resource("x:1", { cache }, () => ""), /TypeError: resource "x:1": cache\./);
  });

  test("may be updated, disabled and removed while clients are connected", async () => {
    const { server } = office();
    const client = await joined(server, "2025-11-25");
    const read = async (uri: string): Promise<unknown> =>
      (await client.readResource(uri)).contents.map((content) => ("text" in content ? content.text : content.blob));
    const menu = server.resource("office://menu{?day}", {}, ({ day }) => `soup ${day}`);
    assert.equal(menu.uri, "office://menu{?day}");
    menu.update({ title: "Menu" });
    assert.deepEqual(await read("office://menu?day=1"), ["soup 1"]);
    menu.update({}, () => "salad");
    assert.deepEqual(await read("office://menu?day=1"), ["salad"]);
    menu.disable();
    await assert.rejects(read("office://menu"), ResourceNotFoundError);
    menu.enable();
    assert.deepEqual(await read("office://menu"), ["salad"]);
    menu.remove();
    await assert.rejects(read("office://menu"), ResourceNotFoundError);
    assert.throws(() => menu.update({}), /it was removed/);
  });

  test("a plain resource goes before a template that it fits", async () => {
    const server = new McpServer({ name: "both", version: "1.0.0" });
    server.resource("x:{id}", {}, () => "template");
    server.resource("x:1", {}, () => "plain");
    const client = await joined(server, "2026-07-28");
    const { contents } = await client.readResource("x:1");
    assert.deepEqual(contents, [{ uri: "x:1", text: "plain" }]);
  });
});

test("a URI that is no string is -32602, with the method's name", async () => {
  const wire = await Wire.greeted(office().server);
  for (const method of ["resources/read", "resources/subscribe", "resources/unsubscribe"])
    for (const uri of [undefined, 5, null]) {
      const { error } = await wire.ask(method, { uri });
      assert.deepEqual([error?.code, error?.message], [-32602, `${method}: "uri" must be a string`]);
    }
});
