// Real processes that serve their stdin and stdout.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { feed, line, messages, program, start, until } from "./programs.ts";

const tools = (options: object = {}): [string, string[]] => program("tools", JSON.stringify(options));
const call = (id: number, method: string, params: object = {}): string => line({ id, method, params });

describe("serveStdio", { concurrency: 2 }, () => {
  test("A02: a request that was read before the end of the input is answered, then the process exits with 0 (STDIO-23)", async () => {
    const { stdout, code, ms } = await feed(tools(), call(1, "echo", { a: 1 }) + call(2, "sleep", { ms: 200 }));
    assert.deepEqual(messages(stdout), [
      { jsonrpc: "2.0", id: 1, result: { a: 1 } },
      { jsonrpc: "2.0", id: 2, result: 200 },
    ]);
    assert.equal(code, 0);
    assert.ok(ms < 20_000, `it took ${ms} ms`);
  });

  test("A02: input and output may be files", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stdio-"));
    after(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "in"), call(1, "sleep", { ms: 200 }) + call(2, "big", { bytes: 1_000_000 }));
    const [command, args] = tools();
    const outcome = spawnSync(command, args, { stdio: [openSync(join(folder, "in"), "r"), "pipe", "pipe"] });
    assert.deepEqual(
      messages(String(outcome.stdout)).map((message) => (message as { id: number }).id),
      [2, 1],
    );
    assert.equal(outcome.status, 0);
  });

  test("A02: a handler that outlasts the drain is aborted, and what it then answers is sent", async () => {
    const { stdout, code } = await feed(tools(), call(1, "stubborn"));
    assert.deepEqual(messages(stdout), [{ jsonrpc: "2.0", id: 1, result: "aborted" }]);
    assert.equal(code, 0);
  });

  test("a large answer is flushed before the process exits, to a reader that takes its time", async () => {
    const { child, ended } = start(tools());
    child.stdout.pause();
    child.stdin.end(call(1, "big", { bytes: 5_000_000 }));
    setTimeout(() => child.stdout.resume(), 300);
    const { stdout, code } = await ended;
    assert.equal((messages(stdout)[0] as { result: string }).result.length, 5_000_000);
    assert.equal(code, 0);
  });

  test("A11: a byte order mark before a message, and one that comes in pieces", async () => {
    const { child, ended } = start(tools());
    const bom = Buffer.from([0xef, 0xbb, 0xbf]);
    child.stdin.write(Buffer.concat([bom, Buffer.from(call(1, "echo").replace("\n", "\r\n"))]));
    child.stdin.write(bom.subarray(0, 1));
    await until(() => child.stdin.writableLength === 0, "the first byte is written");
    child.stdin.write(bom.subarray(1));
    child.stdin.end(call(2, "echo"));
    assert.deepEqual(
      messages((await ended).stdout).map((message) => (message as { id: number }).id),
      [1, 2],
    );
  });

  test("A13: bytes that are no UTF-8 are refused, and the next message is answered", async () => {
    const input = Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(call(7, "echo", { ok: true }))]);
    const { stdout, code } = await feed(tools(), input);
    const [refusal, answer] = messages(stdout) as [{ id: null; error: { code: number } }, object];
    assert.deepEqual([refusal.id, refusal.error.code], [null, -32700]);
    assert.deepEqual(answer, { jsonrpc: "2.0", id: 7, result: { ok: true } });
    assert.equal(code, 0);
  });

  test("A24: somebody has called stdin.setEncoding", async () => {
    const { stdout } = await feed(tools({ setEncoding: true }), call(1, "echo", { text: "žluťoučký 🐎" }));
    assert.deepEqual(messages(stdout), [{ jsonrpc: "2.0", id: 1, result: { text: "žluťoučký 🐎" } }]);
  });

  test("what is no JSON is answered with -32700, what is no JSON-RPC with -32600", async () => {
    const { stdout } = await feed(
      tools(),
      `hello\n{"hello":1}\n{"jsonrpc":"2.0","id":5,"method":6}\n${call(1, "echo")}`,
    );
    assert.deepEqual(
      messages(stdout).map((message) => {
        const { id, error } = message as { id: unknown; error?: { code: number } };
        return [id, error?.code];
      }),
      [
        [null, -32700],
        [null, -32600],
        [5, -32600],
        [1, undefined],
      ],
    );
  });

  test("console.log in a handler goes to stderr", async () => {
    const { stdout, stderr } = await feed(tools(), call(1, "print", { text: "a stray line" }));
    assert.deepEqual(messages(stdout), [{ jsonrpc: "2.0", id: 1, result: null }]);
    assert.match(stderr, /^a stray line$/m);
  });

  test("guardStdout: false leaves stdout to everybody", async () => {
    const { stdout } = await feed(tools({ guardStdout: false }), call(1, "print", { text: "a stray line" }));
    assert.match(stdout, /^a stray line$/m);
  });

  test("stdin and stdout carry one connection at a time", async () => {
    const { stdout } = await feed(tools(), call(1, "again"));
    assert.match((messages(stdout)[0] as { result: string }).result, /already carry a connection/);
  });

  test("after a connection stdout is what it was before", async () => {
    const { stderr, code } = await feed(program("patched"), "");
    assert.equal(stderr, "ours\ntheirs\nours\ntheirs\n");
    assert.equal(code, 0);
  });

  test("maxBytes: a longer message is refused with its id, and the next is answered", async () => {
    const { stdout } = await feed(
      tools({ maxBytes: 1000 }),
      call(1, "echo", { text: "x".repeat(100_000) }) + call(2, "echo"),
    );
    const [refusal, answer] = messages(stdout) as [{ id: number; error: { code: number; message: string } }, object];
    assert.equal(refusal.error.code, -32600);
    assert.match(refusal.error.message, /1000 bytes/);
    assert.deepEqual(answer, { jsonrpc: "2.0", id: 2, result: {} });
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const)
    test(`${signal}: what was read is answered, then the process exits with 0`, async () => {
      const { child, ended } = start(tools());
      child.stdin.write(call(1, "echo") + call(2, "sleep", { ms: 250 }));
      await new Promise((resolve) => child.stdout.once("data", resolve));
      child.kill(signal);
      const { stdout, stderr, code } = await ended;
      assert.deepEqual(messages(stdout).at(-1), { jsonrpc: "2.0", id: 2, result: 250 });
      assert.match(stderr, /served/);
      assert.equal(code, 0);
    });

  test("a signal after the end of the input: nobody waits for answers any more", async () => {
    const { child, ended } = start(tools({ drain: 60_000 }));
    child.stdin.end(call(1, "echo") + call(2, "sleep", { ms: 60_000 }));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGTERM");
    const { stdout, code, ms } = await ended;
    assert.equal(messages(stdout).length, 1);
    assert.equal(code, 0);
    assert.ok(ms < 20_000, `it took ${ms} ms`);
  });

  test("signals: false leaves them as they are", async () => {
    const { child, ended } = start(tools({ signals: false }));
    child.stdin.write(call(1, "echo"));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGTERM");
    assert.equal((await ended).signal, "SIGTERM");
  });

  test("a forgotten timer doesn't keep the process alive without its client", async () => {
    const { code, stderr } = await feed(tools({ forget: true, exit: 100 }), call(1, "echo"));
    assert.equal(code, 0);
    assert.match(stderr, /served/);
  });

  test("exit: false leaves the process alone, a number gives it that time", async () => {
    const patient = await feed(tools({ cleanup: 400, exit: false }), "");
    assert.match(patient.stderr, /cleaned up/);
    // More ms than any timer has.
    const endless = await feed(tools({ cleanup: 200, exit: 2 ** 40 }), "");
    assert.match(endless.stderr, /cleaned up/);
    const hurried = await feed(tools({ cleanup: 60_000, exit: 100 }), "");
    assert.doesNotMatch(hurried.stderr, /cleaned up/);
    assert.equal(hurried.code, 0);
  });

  test("a client that goes away without closing its end is an end like any other", async () => {
    const { child, ended } = start(tools());
    child.stdin.write(call(1, "echo"));
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.stdout.destroy();
    child.stdin.write(call(2, "big", { bytes: 1_000_000 }));
    const { code, stderr } = await ended;
    assert.equal(code, 0);
    assert.match(stderr, /served/);
  });

  test("stdin that breaks is an error with exit code 1", async () => {
    const { child, ended } = start(tools());
    child.stdin.write(call(1, "breakStdin"));
    const { code, stderr } = await ended;
    assert.equal(code, 1);
    assert.match(stderr, /Error: the cable is torn/);
  });
});
