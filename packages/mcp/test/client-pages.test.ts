import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RpcError } from "@x/jsonrpc";
import { CapabilityError, ResourceNotFoundError } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { all, both, joined, scripted } from "./joined.ts";

const capabilities = { tools: {}, prompts: {}, resources: {} };
const named = (...names: string[]): object[] => names.map((name) => ({ name, inputSchema: { type: "object" } }));

/** A server whose pages are found by their cursors. */
const paged = (version: string, page: (cursor: unknown, count: number) => object) => {
  let count = 0;
  return scripted(version, capabilities, { "tools/list": ({ cursor }) => page(cursor, ++count) });
};

for (const version of both)
  describe(`pages, ${version}`, () => {
    test("of every list, with any cursor, the empty one too, end where none or null is named (PAGE-01, PAGE-03, PAGE-05, PAGE-06, PAGE-08)", async () => {
      const cursors = [undefined, "", '{"odd":true}', "é\u0000", "…"];
      const pages: readonly (readonly [
        method: string,
        key: string,
        list: "tools" | "prompts" | "resources" | "resourceTemplates",
      ])[] = [
        ["tools/list", "tools", "tools"],
        ["prompts/list", "prompts", "prompts"],
        ["resources/list", "resources", "resources"],
        ["resources/templates/list", "resourceTemplates", "resourceTemplates"],
      ];
      for (const [method, key, list] of pages) {
        const { client, asked } = await scripted(version, capabilities, {
          [method]: ({ cursor }) => {
            const at = cursors.indexOf(cursor as string | undefined);
            const nextCursor = at < cursors.length - 1 ? cursors[at + 1] : null;
            return { [key]: named(...Array.from({ length: at }, (_, i) => `${at}.${i}`)), nextCursor };
          },
        });
        const items: { readonly name: string }[] = await all<{ readonly name: string }>(client[list]());
        assert.equal(items.length, 0 + 1 + 2 + 3 + 4, method);
        assert.deepEqual(
          asked.map(({ params }) => params["cursor"]),
          cursors,
        );
      }
    });

    test("a cursor that comes again is an error, not a loop (PAGE-02)", async () => {
      const { client, asked } = await paged(version, () => ({ tools: named("a"), nextCursor: "again" }));
      await assert.rejects(all(client.tools()), { message: /The list has no end: the cursor "again" came twice/ });
      assert.equal(asked.length, 2);
    });

    test("an endless list is an error", async () => {
      const { client } = await paged(version, (_cursor, count) => ({ tools: [], nextCursor: `c${count}` }));
      await assert.rejects(all(client.tools()), { message: /after 10000 pages/ });
    });

    test("a list that changes while it is read is read anew, without giving anything twice (PAGE-04, PAGE-09, CACHE-19)", async () => {
      const server = new McpServer({ name: "changes", version: "1.0.0" }, { pageSize: 2 });
      for (let i = 0; i < 5; i++) server.tool(`t${i}`, {}, () => "");
      const client = await joined(server, version);
      const names: string[] = [];
      for await (const { name } of client.tools()) {
        names.push(name);
        if (name === "t2") server.tool("new", {}, () => "");
      }
      assert.deepEqual(names, ["t0", "t1", "t2", "t3", "t4", "new"]);
    });

    test("a server that never knows its own cursor ends in its error", async () => {
      const { client, asked } = await paged(version, (cursor) => {
        if (cursor !== undefined) throw new RpcError(-32602, "Unknown cursor");
        return { tools: named("a"), nextCursor: "b" };
      });
      await assert.rejects(all(client.tools()), { code: -32602, message: "Unknown cursor" });
      assert.equal(asked.length, 8);
    });

    test("other errors come through at once", async () => {
      const { client, asked } = await paged(version, (cursor) => {
        if (cursor !== undefined) throw new RpcError(-32603, "broken");
        return { tools: named("a"), nextCursor: "b" };
      });
      await assert.rejects(all(client.tools()), { code: -32603 });
      assert.equal(asked.length, 2);
    });

    test("a list without its items is an error that names it", async () => {
      const { client } = await paged(version, () => ({ tool: [] }));
      await assert.rejects(client.listTools(), { message: 'The server answered "tools/list" without tools' });
    });

    test("nothing is asked of a server that doesn't declare it (CAP-03, PRM-17)", async () => {
      const { client, asked } = await scripted(version, {}, {});
      const calls: (() => Promise<unknown>)[] = [
        () => client.listTools(),
        () => client.callTool("x"),
        () => client.listPrompts(),
        () => client.getPrompt("x"),
        () => client.listResources(),
        () => client.listResourceTemplates(),
        () => client.readResource("x:1"),
        () => client.complete({ prompt: "x" }, { name: "a", value: "" }),
      ];
      for (const call of calls) await assert.rejects(call(), CapabilityError);
      assert.deepEqual(asked, []);
    });

    for (const code of [-32002, -32602])
      test(`${code} says that a resource isn't there (RES-19, BASE-44)`, async () => {
        const { client } = await scripted(version, capabilities, {
          "resources/read": () => {
            throw new RpcError(code, "no such thing");
          },
        });
        await assert.rejects(client.readResource("x:1"), (error: unknown) => {
          assert.ok(error instanceof ResourceNotFoundError && RpcError.is(error));
          assert.deepEqual([error.code, error.message, error.data], [code, "no such thing", { uri: "x:1" }]);
          return true;
        });
      });
  });

test("-32602 after questions is about the answers, not about the resource (MRTR-19)", async () => {
  const { client } = await scripted(
    "2026-07-28",
    capabilities,
    {
      "resources/read": ({ requestState }) => {
        if (requestState !== undefined) throw new RpcError(-32602, "expired");
        return { resultType: "input_required", requestState: "s", inputRequests: { roots: { method: "roots/list" } } };
      },
    },
    { roots: [] },
  );
  await assert.rejects(client.readResource("x:1"), (error: Error) => !(error instanceof ResourceNotFoundError));
});
