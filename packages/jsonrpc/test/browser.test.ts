// The package in headless Chromium: a page and a worker with a MessagePort between them, and the transport suite.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { needing, showing } from "../../../scripts/programs.ts";

/** The programs bundled for browsers, where nothing of Node is, by their paths on the server. */
async function bundles(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: ["page.ts", "worker.ts"].map((name) => fileURLToPath(new URL(`programs/${name}`, import.meta.url))),
    outdir: "/",
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    conditions: ["@x/source"],
    logLevel: "silent",
  });
  return new Map(outputFiles.map(({ path, text: script }) => [path, script]));
}

test("a page and a worker call each other over a MessagePort, which passes the transport suite", {
  ...needing("chromium"),
  timeout: 100_000,
}, async (t) => {
  const scripts = await bundles();
  let tell!: (seen: unknown) => void;
  const seen = new Promise((resolve) => (tell = resolve));
  const server = createServer((request, response) => {
    if (request.method === "POST") void json(request).then(tell);
    const script = scripts.get(request.url ?? "");
    response.setHeader("Content-Type", script === undefined ? "text/html" : "text/javascript");
    response.end(script ?? '<!doctype html><script type="module" src="/page.js"></script>');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  showing(t, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

  assert.deepEqual(await seen, [
    19,
    "hello page",
    [2, -2],
    -32601,
    -32603,
    -32000,
    'ClosedError: "subtract" was not sent: seen enough',
    true,
  ]);
});
