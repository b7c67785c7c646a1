// nginx in front of two servers, which take turns: what the stateless revision is for.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { http, nodeListener } from "../src/index.ts";
import { needing, running } from "../../../scripts/programs.ts";
import { freePort, listening } from "./serve.ts";

/** A server that says which one it is. */
async function backend(t: TestContext, name: string): Promise<number> {
  const server = new McpServer({ name: "office", version: "1.0.0" });
  server.tool("who", { description: "Says which server this is" }, () => name);
  server.tool("slow", { description: "Reports, then takes its time" }, async (_args, context) => {
    context.progress(1, 2);
    await sleep(300);
    return name;
  });
  return await listening(t, nodeListener(server));
}

async function balanced(t: TestContext): Promise<string> {
  const ports = [await backend(t, "a"), await backend(t, "b")];
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "nginx-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const config = `
    daemon off; pid ${folder}/pid; error_log ${folder}/errors; events {}
    http {
      access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
      upstream office { ${ports.map((each) => `server 127.0.0.1:${each};`).join(" ")} }
      server { listen 127.0.0.1:${port}; location / { proxy_pass http://office; proxy_http_version 1.1; proxy_set_header Host $host; } }
    }`;
  writeFileSync(join(folder, "nginx.conf"), config);
  running(t, "nginx", ["-p", folder, "-e", join(folder, "errors"), "-c", join(folder, "nginx.conf")]);
  const url = `http://localhost:${port}/mcp`;
  for (
    let i = 0;
    i < 100 &&
    !(await fetch(url).then(
      () => true,
      () => false,
    ));
    i++
  )
    await sleep(50);
  return url;
}

test("two servers behind nginx take turns, and its buffers hold nothing back", needing("nginx"), async (t) => {
  const url = await balanced(t);
  const client = await connect(http(url), { name: "client", version: "1.0.0" });
  t.after(() => client.close());
  assert.equal(client.revision.version, "2026-07-28");
  const answers = new Set<unknown>();
  for (let i = 0; i < 6; i++) answers.add(JSON.stringify((await client.callTool("who")).content));
  assert.equal(answers.size, 2);
  let heard = 0;
  const start = performance.now();
  await client.callTool("slow", {}, { onProgress: () => void (heard = performance.now() - start) });
  const whole = performance.now() - start;
  assert.ok(heard > 0 && whole - heard > 150, `progress after ${heard} ms of ${whole}`);
});
