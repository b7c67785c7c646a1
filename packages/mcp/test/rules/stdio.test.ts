// Area 4 of docs/spec/rules.md: what is on the pipes, and transports of one's own.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { Transport } from "@x/jsonrpc";
import { revisions } from "@x/mcp";
import { connect } from "@x/mcp/client";
import { command } from "@x/transport-stdio";
import { info } from "../scripted.ts";
import { echoServer, hello, stateless } from "../wire.ts";

const smallest = fileURLToPath(new URL("../smallest.ts", import.meta.url));

/** What a server says on stdout to these lines. */
async function said(...lines: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [...process.execArgv, smallest], { stdio: ["pipe", "pipe", "inherit"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stdin.end(lines.join("\n") + "\n");
  await once(child, "close");
  return stdout;
}

const request = (id: unknown, method: string, params?: object): object => ({ jsonrpc: "2.0", id, method, params });
const call = (id: unknown, a: number): object => request(id, "tools/call", { name: "add", arguments: { a, b: 1 } });

describe("a server on its pipes", { concurrency: 2 }, () => {
  test("writes one message a line, each line whole, and nothing else; metadata is within (STDIO-02, STDIO-06, STDIO-14)", async () => {
    const stdout = await said(
      JSON.stringify(request(1, "server/discover", stateless())),
      JSON.stringify(request("2", "tools/call", stateless({ name: "add", arguments: { a: 1, b: 2 } }))),
      "",
      JSON.stringify(request(3, "tools/list", stateless())),
    );
    assert.ok(stdout.endsWith("\n"));
    const messages = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: unknown; jsonrpc: string });
    assert.deepEqual(new Set(messages.map(({ id }) => id)), new Set([1, "2", 3]));
    assert.equal(messages.length, 3);
    for (const message of messages) assert.equal(message.jsonrpc, "2.0");
  });

  test("takes a batch on one line in 2025-03-26, and answers with one (STDIO-07)", async () => {
    const stdout = await said(
      JSON.stringify(request(1, "initialize", { ...hello, protocolVersion: "2025-03-26" })),
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
      JSON.stringify([call(2, 1), { jsonrpc: "2.0", method: "notifications/x" }, call(3, 2)]),
    );
    const [, batch] = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: number }[]);
    assert.deepEqual(
      batch?.map(({ id }) => id).toSorted((a, b) => a - b),
      [2, 3],
    );
  });
});

test("a client writes messages to the server's stdin, one a line, and nothing else (STDIO-02, STDIO-05)", async () => {
  // A server that gives every line back on stderr, and answers as ours would.
  const program = `
    const { createInterface } = require("node:readline");
    createInterface({ input: process.stdin }).on("line", (line) => {
      console.error(line);
      const { id, method } = JSON.parse(line);
      const result = method === "server/discover"
        ? { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }
        : { content: [], resultType: "complete" };
      if (id !== undefined && method !== "wait") console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });`;
  const lines: string[] = [];
  const client = await connect(
    command(process.execPath, ["-e", program], { stderr: (line) => lines.push(line) }),
    info,
  );
  await client.callTool("line\nbreak", { text: "a\r\nb\u2028c" });
  const stop = new AbortController();
  const waiting = client.request("wait", {}, { signal: stop.signal }).catch(() => {});
  stop.abort();
  await waiting;
  await client.close();
  const methods = lines.map((line) => (JSON.parse(line) as { method: string; jsonrpc: "2.0" }).method);
  assert.deepEqual(methods.slice(0, 2), ["server/discover", "tools/call"]);
  for (const line of lines) assert.equal((JSON.parse(line) as { jsonrpc: string }).jsonrpc, "2.0");
});

/** Messages as they are, by structured clone: nothing of ours is in between. */
const messagePort = (port: MessagePort): Transport => ({
  open: (receive) =>
    new Promise((ended) => {
      port.on("message", receive);
      port.on("close", () => ended());
    }),
  send: (message) => {
    port.postMessage(message);
  },
  close: () => port.close(),
});

for (const { version, lifecycle } of revisions)
  test(`a transport of one's own carries the same messages, ${version} too (${lifecycle === "stateless" ? "STDIO-28" : "STDIO-27"}, STDIO-26)`, async () => {
    const { port1, port2 } = new MessageChannel();
    const passed: unknown[] = [];
    port2.on("message", (message) => passed.push(message));
    echoServer().connect(messagePort(port2));
    const only = revisions.filter((revision) => revision.version === version);
    const client = await connect(messagePort(port1), info, { revisions: only });
    assert.deepEqual((await client.callTool("echo", { text: "hi" })).content, [{ type: "text", text: "hi" }]);
    await client.close();
    const methods = passed.map((message) => (message as { method: string }).method);
    if (lifecycle === "handshake") assert.deepEqual(methods, ["initialize", "notifications/initialized", "tools/call"]);
    else {
      assert.deepEqual(methods, ["server/discover", "tools/call"]);
      for (const message of passed) {
        const { _meta } = (message as { params: { _meta: { [key: string]: unknown } } }).params;
        assert.equal(_meta["io.modelcontextprotocol/protocolVersion"], version);
      }
    }
  });
