// Area 12 of docs/spec/rules.md: metadata, trace context, apps.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { memoryPair } from "@x/jsonrpc";
import { trace } from "@x/jsonrpc/middleware";
import * as mcp from "@x/mcp";
import { connect } from "@x/mcp/client";
import { type McpContext, McpServer } from "@x/mcp/server";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { all, both, joined } from "../joined.ts";

const info = { name: "test", version: "1.0.0" };

/** A prefix of labels that ends in a slash, perhaps, and a name (basic/index, "_meta"). */
const KEY =
  /^(?:[A-Za-z](?:[A-Za-z\d-]*[A-Za-z\d])?(?:\.[A-Za-z](?:[A-Za-z\d-]*[A-Za-z\d])?)*\/)?(?:[A-Za-z\d](?:[\w.-]*[A-Za-z\d])?)?$/;

describe("keys of _meta", () => {
  test("the grammar that the next test judges by (META-04, META-05, META-07)", () => {
    for (const good of [
      "a",
      "progressToken",
      "com.example/",
      "com.example/a",
      "io.modelcontextprotocol/related-task",
      "a-b.c1/x_y.z",
    ])
      assert.match(good, KEY);
    for (const bad of ["1a/x", "a-/x", "a/_x", "/x", "a..b/x", "a/x-", "a b/x", ".a/x"]) assert.doesNotMatch(bad, KEY);
  });

  test("that this package writes are well-formed, and the protocol's own: in reverse DNS, under io.modelcontextprotocol (META-05, META-06, META-07, META-08, META-09, META-10, META-11, META-12, OTEL-04)", () => {
    const source = new URL("../../src/", import.meta.url);
    const found = new Set<string>();
    for (const file of readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts"),
    )) {
      const code = readFileSync(new URL(file, source), "utf8");
      for (const [, name] of code.matchAll(/\$\{PREFIX\}([\w-]+)`;/g)) found.add(`io.modelcontextprotocol/${name}`);
      for (const [key] of code.matchAll(/\b[a-z]+(?:\.[a-z]+)+\/[a-z-]+(?=")/g)) if (!key.includes("@")) found.add(key);
    }
    const ours = [...found].filter((key) => !/^(com\.example|json-schema\.org)/.test(key));
    assert.deepEqual(
      new Set(ours),
      new Set([
        "io.modelcontextprotocol/protocolVersion",
        "io.modelcontextprotocol/clientInfo",
        "io.modelcontextprotocol/clientCapabilities",
        "io.modelcontextprotocol/serverInfo",
        "io.modelcontextprotocol/logLevel",
        "io.modelcontextprotocol/subscriptionId",
        "io.modelcontextprotocol/tasks",
        "io.modelcontextprotocol/related-task",
      ]),
    );
    for (const key of ours) assert.match(key, KEY);
    assert.deepEqual(
      [
        mcp.PROTOCOL_VERSION,
        mcp.CLIENT_INFO,
        mcp.CLIENT_CAPABILITIES,
        mcp.SERVER_INFO,
        mcp.LOG_LEVEL,
        mcp.SUBSCRIPTION_ID,
      ].map((key) => found.has(key)),
      [true, true, true, true, true, true],
    );
  });

  for (const version of both)
    test(`and values that nobody knows, odd ones and reserved ones too, go through in both directions (META-03, OTEL-01, ${version})`, async () => {
      const odd = {
        "io.modelcontextprotocol/nobody-knows": { a: [null, 0, "", false] },
        "com.example/x": null,
        "": 7,
        traceparent: "nonsense",
        tracestate: "",
        baggage: "a=1;b,c=%20",
      };
      const server = new McpServer(info);
      let arrived: McpContext["meta"];
      server.tool("look", {}, (_args, { meta }) => {
        arrived = meta;
        return { content: [], _meta: odd };
      });
      const client = await joined(server, version);
      const result = await client.callTool("look", {}, { meta: odd });
      for (const [key, value] of Object.entries(odd)) {
        assert.deepEqual(arrived?.[key], value, key);
        assert.deepEqual(result._meta?.[key], value, key);
      }
    });

  for (const version of both)
    test(`of what is listed come along (META-02, ${version})`, async () => {
      const server = new McpServer(info);
      const _meta = { "com.example/x": [1] };
      server.tool("t", { _meta }, () => ({ content: [{ type: "text", text: "", _meta }], _meta }));
      server.resource("x:1", { _meta }, () => ({ uri: "x:1", text: "", _meta }));
      server.resource("y:{a}", { _meta }, () => "");
      server.prompt("p", { _meta }, () => ({ messages: [], _meta }));
      const client = await joined(server, version);
      const result = await client.callTool("t");
      for (const item of [
        ...(await all(client.tools())),
        ...(await all(client.resources())),
        ...(await all(client.resourceTemplates())),
        ...(await all(client.prompts())),
        ...result.content,
        ...(await client.readResource("x:1")).contents,
      ])
        assert.deepEqual(item._meta, _meta);
      assert.deepEqual(result._meta?.["com.example/x"], [1]);
      assert.deepEqual((await client.getPrompt("p"))._meta?.["com.example/x"], [1]);
    });
});

describe("a trace", () => {
  for (const version of both)
    test(`goes from the client's span to the server's, as W3C has it, without a prefix (OTEL-01, OTEL-02, OTEL-03, OTEL-04, ${version})`, async () => {
      const exporter = new InMemorySpanExporter();
      const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer("test");
      const server = new McpServer(info).use(trace(tracer));
      let meta: McpContext["meta"];
      server.tool("look", {}, (_args, context) => {
        meta = context.meta;
      });
      const [near, far] = memoryPair();
      server.connect(far);
      const only = mcp.revisions.filter((revision) => revision.version === version);
      const client = (await connect(near, info, { revisions: only })).use(trace(tracer));
      await client.callTool("look", {}, { meta: { baggage: "userId=alice,serverNode=DF%2028" } });
      const spans = exporter.getFinishedSpans().filter(({ name }) => name.startsWith("tools/call"));
      const [inner, outer] = spans;
      assert.equal(spans.length, 2);
      assert.equal(inner?.parentSpanContext?.spanId, outer?.spanContext().spanId);
      const { traceId, spanId } = outer!.spanContext();
      assert.ok(meta);
      assert.equal(meta["traceparent"], `00-${traceId}-${spanId}-01`);
      assert.match(meta["traceparent"], /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/);
      assert.equal(meta?.["baggage"], "userId=alice,serverNode=DF%2028");
      assert.equal(
        Object.keys(meta ?? {}).some((key) => key.includes("/trace")),
        false,
      );
    });
});

describe("an app: a tool with a user interface (io.modelcontextprotocol/ui)", () => {
  const UI = "io.modelcontextprotocol/ui";
  const mimeType = "text/html;profile=mcp-app";
  const server = new McpServer(info, { extensions: { [UI]: {} } });
  const ui = { csp: { connectDomains: ["https://example.com"] }, permissions: { camera: {} } };
  server.tool("clock", { _meta: { ui: { resourceUri: "ui://clock" } } }, (_args, { client }) => {
    const shows = client.capabilities.extensions?.[UI] !== undefined;
    return { content: [{ type: "text", text: "It is noon" }], ...(shows && { structuredContent: { hour: 12 } }) };
  });
  const html = "<!doctype html><title>Clock</title>";
  server.resource("ui://clock", { mimeType, _meta: { ui } }, () => ({
    uri: "ui://clock",
    mimeType,
    text: html,
    _meta: { ui },
  }));

  for (const version of both)
    test(`is what both declare, a resource that the tool names, and text for everybody else (APPS-01, APPS-02, APPS-03, APPS-06, EXT-04, EXT-08, EXT-11, ${version})`, async () => {
      const host = await joined(server, version, { capabilities: { extensions: { [UI]: { mimeTypes: [mimeType] } } } });
      assert.deepEqual(host.capabilities.extensions, { [UI]: {} });
      const [tool] = await all(host.tools());
      const { resourceUri } = (tool?._meta ?? {})["ui"] as { resourceUri: string };
      const [page] = (await host.readResource(resourceUri)).contents;
      assert.deepEqual(page, { uri: "ui://clock", mimeType, text: html, _meta: { ui } });
      assert.deepEqual((await host.callTool("clock")).structuredContent, { hour: 12 });
      const plain = await (await joined(server, version)).callTool("clock");
      assert.deepEqual(plain.content, [{ type: "text", text: "It is noon" }]);
      assert.equal(plain.structuredContent, undefined);
    });
});
