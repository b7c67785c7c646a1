// A server for this machine alone (Area 11): on loopback with a token, or on a socket that only its owner may open.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, describe, test } from "node:test";
import { assertRandom } from "../../../fixtures/random-bits.ts";
import { filesUnder } from "../../../scripts/files.ts";
import { type StreamableOptions, nodeListener } from "../src/index.ts";
import { call, entries, meta, post, probe } from "./mcp.ts";
import { INIT } from "./visitor.ts";

const TOKEN = "secret-of-this-machine";
const guarded: StreamableOptions = {
  verify: (asked) => (asked.header("authorization") === `Bearer ${TOKEN}` ? { principal: "me" } : { status: 401 }),
};
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta() } };

describe("a server for this machine", () => {
  test("SEC-02 HTTP-06: every example of a server listens on loopback, or on a socket of the file system", () => {
    const pages = ["README.md", ...["packages", "examples", "docs"].flatMap(filesUnder)].filter((file) =>
      /(\.md|examples\/.*\.ts)$/.test(file),
    );
    const listens = pages.flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/\.listen\((?:[^()]|\((?:[^()]|\([^()]*\))*\))+\)/g)].map(
        ([listen]) => `${page}: ${listen}`,
      ),
    );
    assert.ok(listens.length >= 5, listens.join("\n"));
    assert.deepEqual(
      listens.filter((listen) => !/"127\.0\.0\.1"|\.sock"/.test(listen)),
      [],
    );
  });

  test("SEC-02: on loopback it can't be reached from the network", async (t) => {
    const server = createServer(nodeListener(probe().server)).listen(0, "127.0.0.1");
    t.after(() => server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((net) => net?.family === "IPv4" && !net.internal);
    if (outside) assert.equal(await connects(port, outside.address), false);
    assert.equal(await connects(port, "127.0.0.1"), true);
  });

  for (const [entry, start] of entries)
    test(`SEC-02 SEC-03: another process, which has no token, is refused (${entry})`, async (t) => {
      const send = await start(t, probe().server, guarded);
      for (const Authorization of [undefined, "Bearer guess"]) {
        assert.equal((await call(send, "tools/list", { headers: { Authorization } })).status, 401);
        assert.equal((await post(send, INIT(), { Authorization })).status, 401);
      }
      const Authorization = `Bearer ${TOKEN}`;
      assert.equal((await call(send, "tools/list", { headers: { Authorization } })).status, 200);
    });

  test("SEC-03: a socket of the file system serves whoever may open it, and its mode says who that is", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "socket-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "mcp.sock");
    await listeningOn(t, path);
    chmodSync(path, 0o600);
    assert.equal(statSync(path).mode & 0o077, 0);
    const { status, body } = await postTo(path, LIST);
    assert.equal(status, 200);
    assert.ok(JSON.parse(body).result.tools.length > 0);
  });

  for (const [entry, start] of entries)
    test(`SEC-08: session ids are random in each of their bits (${entry})`, async (t) => {
      const send = await start(t, probe().server);
      const ids: string[] = [];
      for (let n = 0; n < 256; n++) {
        const response = await post(send, INIT());
        ids.push(response.headers.get("mcp-session-id") ?? "");
        await response.text();
      }
      assertRandom(ids);
    });
});

const connects = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host });
    socket.on("connect", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });

async function listeningOn(t: TestContext, path: string): Promise<void> {
  const server = createServer(nodeListener(probe().server));
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(path, resolve));
}

function postTo(socketPath: string, message: object): Promise<{ status: number | undefined; body: string }> {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/list",
  };
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, method: "POST", headers, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => (body += text));
      response.on("end", () => resolve({ status: response.statusCode, body }));
    });
    asked.on("error", reject);
    asked.end(JSON.stringify(message));
  });
}
