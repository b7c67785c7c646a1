// Our client visits @modelcontextprotocol/server-everything.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AbortError } from "@x/jsonrpc";
import { connectTo } from "./published.ts";

const program = import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js");

test("server-everything over stdio: list, calls at once, every kind of content, progress, cancel, errors", async (t) => {
  const client = await connectTo(t, program, "stdio");
  assert.equal(client.revision.version, "2025-11-25");
  assert.equal(client.server?.name, "mcp-servers/everything");

  const tools = new Map<string, object>();
  for await (const tool of client.tools()) tools.set(tool.name, tool);
  assert.ok(tools.has("echo") && tools.has("get-structured-content"), [...tools.keys()].join(", "));

  const [echo, sum] = await Promise.all([
    client.callTool("echo", { message: "grüß Gott\n" }),
    client.callTool("get-sum", { a: 2, b: 3 }),
  ]);
  assert.deepEqual(echo.content, [{ type: "text", text: "Echo: grüß Gott\n" }]);
  assert.match(JSON.stringify(sum.content), /The sum of 2 and 3 is 5/);

  const weather = await client.callTool("get-structured-content", { location: "Chicago" });
  assert.equal(typeof (weather.structuredContent as { temperature?: unknown }).temperature, "number");
  const image = await client.callTool("get-tiny-image", {});
  assert.ok(image.content.some((block) => block.type === "image" && block.mimeType === "image/png"));
  const links = await client.callTool("get-resource-links", { count: 2 });
  assert.equal(links.content.filter(({ type }) => type === "resource_link").length, 2);
  const reference = await client.callTool("get-resource-reference", { resourceType: "Text", resourceId: 1 });
  assert.ok(reference.content.some((block) => block.type === "resource" && "text" in block.resource));

  const progress: number[] = [];
  await client.callTool(
    "trigger-long-running-operation",
    { duration: 0.4, steps: 4 },
    { onProgress: (report) => progress.push(report.progress) },
  );
  assert.deepEqual(progress, [1, 2, 3, 4]);

  const stop = new AbortController();
  await assert.rejects(
    client.callTool(
      "trigger-long-running-operation",
      { duration: 600, steps: 6000 },
      { signal: stop.signal, onProgress: () => stop.abort() },
    ),
    AbortError,
  );

  const misfit = await client.callTool("get-sum", { a: "two", b: 3 });
  assert.equal(misfit.isError, true);
  assert.match(JSON.stringify(misfit.content), /get-sum/);
  assert.deepEqual(await client.request("ping"), {});
});
