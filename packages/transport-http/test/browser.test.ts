// The client in headless Chromium, on a page of another origin than the server.
import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { McpServer } from "@x/mcp/server";
import { build } from "esbuild";
import { rpcService } from "../../../fixtures/rpc-service.ts";
import { nodeListener } from "../src/index.ts";
import { needing, showing } from "../../../scripts/programs.ts";
import { listening } from "./serve.ts";

const PROGRAM = `
  import { createPeer } from "@x/jsonrpc";
  import { connect } from "@x/mcp/client";
  import { http } from "@x/transport-http";

  const [rpc, mcp] = location.hash.slice(1).split(",");
  const seen = [];
  try {
    const peer = createPeer(http(rpc));
    seen.push(await peer.request("subtract", [42, 23]));
    await peer.close();
    for (const lifecycle of ["stateless", "handshake"]) {
      const client = await connect(http(mcp), { name: "page", version: "1" }, { lifecycle });
      for await (const tool of client.tools()) seen.push(tool.name);
      const progress = [];
      const result = await client.callTool("count", { item: "ü" }, { onProgress: (each) => progress.push(each.progress) });
      seen.push(result.content[0].text, progress.join());
      const changed = new Promise((resolve) => client.subscribe({ tools: true }, resolve));
      await new Promise((resolve) => setTimeout(resolve, 100));
      await client.callTool("change");
      await changed;
      seen.push("changed");
      await client.close();
    }
  } catch (error) {
    seen.push(String(error && error.stack || error));
  }
  await fetch("/seen", { method: "POST", body: JSON.stringify(seen) });
`;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: fileURLToPath(new URL(".", import.meta.url)), sourcefile: "page.js" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    conditions: ["@x/source"],
    external: ["ajv", "ajv/*"],
    logLevel: "silent",
  });
  return outputFiles[0]!.text;
}

/** A page that runs the program, and what it has seen. */
async function page(
  t: TestContext,
  script: string,
): Promise<{ readonly port: number; readonly seen: Promise<unknown> }> {
  let tell!: (seen: unknown) => void;
  const seen = new Promise<unknown>((resolve) => (tell = resolve));
  const port = await listening(t, (request, response) => {
    const [incoming, outgoing] = [request as IncomingMessage, response as ServerResponse];
    if (incoming.method !== "POST") {
      const isScript = incoming.url === "/page.js";
      outgoing.writeHead(200, { "Content-Type": isScript ? "text/javascript" : "text/html" });
      outgoing.end(isScript ? script : '<!doctype html><script type="module" src="/page.js"></script>');
      return;
    }
    let text = "";
    incoming.on("data", (chunk: Buffer) => (text += chunk.toString()));
    incoming.on("end", () => {
      tell(JSON.parse(text));
      outgoing.end();
    });
  });
  return { port, seen };
}

test("a page of another origin calls, hears progress and changes", {
  ...needing("chromium"),
  timeout: 100_000,
}, async (t) => {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  const item = { type: "string", "x-mcp-header": "Item" };
  server.tool("count", { description: "Counts", input: { type: "object", properties: { item } } }, (args, context) => {
    for (const n of [1, 2, 3]) context.progress(n, 3);
    return `counted ${String(args["item"])}`;
  });
  let changes = 0;
  server.tool("change", { description: "Adds a tool" }, () => {
    server.tool(`more-${++changes}`, { description: "New" }, () => "").remove();
    return "";
  });
  const cors = { cors: true } as const;
  const rpc = await listening(t, nodeListener(rpcService(), cors));
  const mcp = await listening(t, nodeListener(server, cors));
  const { port, seen } = await page(t, await bundle());

  showing(t, `http://localhost:${port}/#http://localhost:${rpc},http://localhost:${mcp}/mcp`);

  const once = ["count", "change", "counted ü", "1,2,3", "changed"];
  assert.deepEqual(await seen, [19, ...once, ...once]);
});
