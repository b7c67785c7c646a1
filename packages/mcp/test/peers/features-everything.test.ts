// Our client reads, gets, completes, logs and watches at @modelcontextprotocol/server-everything.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { LogMessage } from "@x/mcp";
import { ResourceNotFoundError, connect, expandTemplate } from "@x/mcp/client";
import { command } from "@x/transport-stdio";

test("server-everything over stdio: resources, prompts, completion, logging, watching", async (t) => {
  const program = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
  const logged: LogMessage[] = [];
  const client = await connect(
    () => command(process.execPath, [program, "stdio"]),
    { name: "visitor", version: "1.0.0" },
    { onLog: (message) => void logged.push(message), onError: (error) => t.after(() => Promise.reject(error)) },
  );
  t.after(() => client.close());

  const uris: string[] = [];
  for await (const { uri } of client.resources()) uris.push(uri);
  assert.ok(uris.includes("demo://resource/static/document/features.md"), uris.join(", "));
  const { contents } = await client.readResource("demo://resource/static/document/features.md");
  assert.ok(contents.some((content) => "text" in content && content.text.includes("#")));
  await assert.rejects(client.readResource("demo://resource/nowhere"), ResourceNotFoundError);

  const read: string[] = [];
  for await (const { uriTemplate } of client.resourceTemplates()) {
    const [content] = (await client.readResource(expandTemplate(uriTemplate, { resourceId: 2 }))).contents;
    assert.ok(content);
    read.push("text" in content ? content.text : Buffer.from(content.blob, "base64").toString());
  }
  assert.deepEqual(
    read.map((text) => /Resource 2/.test(text)),
    [true, true],
    read.join("\n"),
  );

  const prompts: string[] = [];
  for await (const { name } of client.prompts()) prompts.push(name);
  assert.ok(prompts.includes("args-prompt"), prompts.join(", "));
  const { messages } = await client.getPrompt("args-prompt", { city: "Ghent" });
  assert.match(JSON.stringify(messages), /Ghent/);
  await assert.rejects(client.getPrompt("args-prompt"), { code: -32602 });

  const completable = { prompt: "completable-prompt" };
  const { values } = await client.complete(completable, { name: "department", value: "E" });
  assert.ok(values.length > 0 && values.every((value) => value.startsWith("E")), values.join(", "));
  const others = { department: values[0] as string };
  assert.ok((await client.complete(completable, { name: "name", value: "" }, { others })).values.length > 0);

  await client.setLogLevel("debug");
  const dynamic = "demo://resource/dynamic/text/1";
  const heard: unknown[] = [];
  const subscription = client.subscribe({ uris: [dynamic] }, (change) => heard.push(change));
  assert.deepEqual(await subscription.ready, { uris: [dynamic] });
  await client.callTool("toggle-subscriber-updates", {});
  for (let i = 0; i < 100 && heard.length === 0; i++) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(heard[0], { resource: dynamic });
  await subscription.close();
  assert.ok(logged.every(({ level }) => typeof level === "string"));
});
