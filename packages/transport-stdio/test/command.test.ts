// Real programs that are started, spoken to and ended.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { ClosedError, InvalidResponseError, createPeer, implement } from "@x/jsonrpc";
import { type CommandOptions, ServerExited, ServerNotStarted, ServerUnreachable, command } from "@x/transport-stdio";
import { program, runs, script, until } from "./programs.ts";
import type { Tools } from "./tools.ts";

const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));

const folder = mkdtempSync(join(tmpdir(), "command-"));
after(() => rmSync(folder, { recursive: true }));

const tools = (options?: CommandOptions) => command(...program("tools"), options);
const node = (code: string, options?: CommandOptions) => command(...script(code), options);

/** Answers every request with its params, one line each. */
const ECHO = `require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: params ?? null }));
});`;

describe("a command that answers", { concurrency: 2 }, () => {
  test("is called, and ends with its input (STDIO-01, STDIO-18, STDIO-19)", async () => {
    const transport = tools();
    const peer = createPeer<Tools>(transport);
    assert.deepEqual(await peer.request("echo", { a: 1 }), { a: 1 });
    const { pid } = transport;
    assert.ok(pid !== undefined && runs(pid));
    await peer.close();
    assert.equal(runs(pid), false);
    assert.equal(await peer.closed, undefined);
    assert.equal(transport.stderr, "started\nserved");
  });

  test("A18: env is laid over a safe default, and secrets stay here (STDIO-25)", async () => {
    process.env["SECRET_OF_THE_HOST"] = "s3cret";
    const peer = createPeer<Tools>(tools({ env: { A: "1", HOME: undefined } }));
    const environment = await peer.request("environment");
    await peer.close();
    assert.equal(environment["A"], "1");
    assert.equal(environment["PATH"], process.env["PATH"]);
    assert.equal(environment["HOME"], undefined);
    assert.equal(environment["SECRET_OF_THE_HOST"], undefined);
  });

  test("env: process.env passes on everything", async () => {
    process.env["WANTED"] = "yes";
    const peer = createPeer<Tools>(tools({ env: process.env }));
    assert.equal((await peer.request("environment"))["WANTED"], "yes");
    await peer.close();
  });

  test("cwd may be a path or a URL", async () => {
    const code = ECHO.replace("params ?? null", "process.cwd()");
    for (const cwd of [folder, pathToFileURL(folder)]) {
      const peer = createPeer(node(code, { cwd }));
      assert.equal(await peer.request("cwd"), realpathSync(folder));
      await peer.close();
    }
  });

  test("A21: a megabyte on stderr that nobody reads doesn't block it; the last lines are kept (STDIO-09, STDIO-10)", async () => {
    const transport = node(
      `for (let i = 0; i < 20000; i++) process.stderr.write("line " + i + " ".repeat(40) + "\\n");${ECHO}`,
    );
    const peer = createPeer(transport);
    assert.deepEqual(await peer.request("echo", [1]), [1]);
    await until(() => transport.stderr.includes("line 19999"), "the last line has arrived");
    const lines = transport.stderr.split("\n");
    assert.equal(lines.length, 20);
    assert.equal(lines[0]?.trim(), "line 19980");
    await peer.close();
  });

  test("A21: stderr line by line, whole whatever the chunks, from the first line on (STDIO-08)", async () => {
    const lines: string[] = [];
    const peer = createPeer(
      node(
        `process.stderr.write(Buffer.from([0x66, 0xc3])); setTimeout(() => process.stderr.write(Buffer.concat([Buffer.from([0xbc, 0x72]), Buffer.from("\\r\\n\\nend")])), 30);${ECHO}`,
        { stderr: (line) => lines.push(line) },
      ),
    );
    await peer.request("echo");
    await until(() => lines.length === 2, "two lines have arrived");
    await peer.close();
    assert.deepEqual(lines, ["für", "", "end"]);
  });

  test("a listener for stderr that throws, at once or later, harms nothing", async () => {
    const fails: (() => unknown)[] = [
      () => {
        throw new Error("on purpose");
      },
      () => Promise.reject(new Error("on purpose, later")),
    ];
    for (const stderr of fails) {
      const peer = createPeer(node(`console.error("one");${ECHO}`, { stderr }));
      assert.deepEqual(await peer.request("echo", [1]), [1]);
      await peer.close();
    }
  });

  test("a banner and log lines on stdout are reported and not answered", async () => {
    const reports: string[] = [];
    const peer = createPeer(
      node(`console.log("Server listening"); console.log('{"level":30,"msg":"hi"}'); console.log("[1,");
        for (const id of [1, 2]) console.log(JSON.stringify({ id, name: "row" }));${ECHO}`),
      { onError: (error, origin) => reports.push(`${origin}: ${(error as Error).message}`) },
    );
    // The server would answer an answer without an id with an error of its own.
    assert.deepEqual(await peer.request("echo", [1]), [1]);
    assert.deepEqual(await peer.request("echo", [2]), [2]);
    await peer.close();
    assert.deepEqual(reports, [
      "message: Not a JSON-RPC message on the command's stdout: Server listening",
      `message: Not a JSON-RPC message on the command's stdout: {"level":30,"msg":"hi"}`,
      "message: Not a JSON-RPC message on the command's stdout: [1,",
      `message: Not a JSON-RPC message on the command's stdout: {"id":1,"name":"row"}`,
      `message: Not a JSON-RPC message on the command's stdout: {"id":2,"name":"row"}`,
    ]);
  });

  test("A07: an answer that is too long rejects its call with the limit; the connection lives on", async () => {
    const peer = createPeer<Tools>(tools({ maxBytes: 10 * 1024 * 1024 }));
    await assert.rejects(peer.request("big", { bytes: 12_000_000 }), (error) => {
      assert.ok(error instanceof InvalidResponseError);
      assert.match(error.message, /longer than 10485760 bytes/);
      return true;
    });
    assert.deepEqual(await peer.request("echo", { a: 1 }), { a: 1 });
    await peer.close();
  });

  test("A23: connect, close, connect, fifty times without a pause", async () => {
    const [code, args] = script(ECHO);
    for (let i = 0; i < 50; i++) {
      const peer = createPeer(command(code, args));
      if (i % 2 === 0) assert.deepEqual(await peer.request("echo", [i]), [i]);
      await peer.close();
    }
  });

  test("A23: closed at once, before it has been started", async () => {
    const transport = tools();
    const peer = createPeer<Tools>(transport);
    const call = assert.rejects(peer.request("echo", [1]), ClosedError);
    await peer.close();
    await call;
    assert.ok(transport.pid === undefined || !runs(transport.pid));
  });

  test("a command that was closed before it was opened is never started", async () => {
    const transport = tools();
    await transport.close();
    await transport.open(() => {});
    assert.equal(transport.pid, undefined);
  });

  test("a second open is refused", async () => {
    const transport = node(ECHO);
    const first = transport.open(() => {});
    await assert.rejects(
      transport.open(() => {}),
      /make a new one/,
    );
    await transport.close();
    await first;
  });
});

describe("a command that fails", { concurrency: 2 }, () => {
  test("A06: it exits at once: every waiting call says with what code and what it said last", async () => {
    const peer = createPeer(node(`console.error("boom"); process.exit(3)`));
    const calls = [peer.request("initialize"), peer.request("second")];
    const [first, second] = await Promise.allSettled(calls);
    assert.ok(first?.status === "rejected" && second?.status === "rejected");
    const { reason } = first;
    assert.ok(reason instanceof ClosedError && reason.cause instanceof ServerExited);
    assert.match(
      reason.message,
      /^"initialize" was not answered: ".*node.* -e .*" exited with code 3 after \d+ ms\nLast lines of its stderr:\n {2}boom$/,
    );
    const { code, signal, ms, stderr } = reason.cause;
    assert.deepEqual({ code, signal, stderr }, { code: 3, signal: null, stderr: "boom" });
    assert.ok(ms > 0);
    assert.equal(await peer.closed, reason.cause);
    assert.deepEqual(unhandled, []);
  });

  test("A06: nobody waits: no unhandled rejection, and the peer is closed with the reason", async () => {
    const peer = createPeer(node(`process.exit(4)`));
    assert.match(String(await peer.closed), /^ServerExited: .* exited with code 4/);
    await assert.rejects(peer.request("late"), ClosedError);
    assert.deepEqual(unhandled, []);
  });

  test("A22: SIGKILL after a request was read rejects at once, and a new connection works", async () => {
    const peer = createPeer<Tools>(tools());
    await peer.request("echo", [1]);
    const since = performance.now();
    await assert.rejects(peer.request("kill", { signal: "SIGKILL" }), /was ended by SIGKILL after \d+ ms/);
    assert.ok(performance.now() - since < 5000, "it took too long");
    const again = createPeer<Tools>(tools());
    assert.deepEqual(await again.request("echo", [2]), [2]);
    await again.close();
  });

  test("A22: the same while a grandchild holds its pipes", async () => {
    const peer = createPeer(
      node(
        `const g = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "inherit" });
        process.stdin.once("data", () => { console.error(g.pid); setTimeout(() => process.kill(process.pid, "SIGKILL"), 50) });`,
        { shutdown: { end: 100, terminate: 2000 } },
      ),
    );
    const since = performance.now();
    await assert.rejects(peer.request("go"), (error) => {
      const exited = (error as Error).cause as ServerExited;
      assert.equal(exited.signal, "SIGKILL");
      assert.ok(performance.now() - since < 10_000);
      return true;
    });
    const { stderr } = (await peer.closed) as ServerExited;
    await until(() => !runs(Number(stderr)), "the grandchild is gone");
  });

  test("it ends while it is written to: what waits says with what code, not that a pipe broke", async () => {
    const transport = node(`process.stdin.once("data", () => process.exit(7)); console.error("up")`);
    const peer = createPeer(transport);
    await until(() => transport.stderr === "up", "it is up");
    const call = peer.request("echo", ["x".repeat(5_000_000)]);
    const note = Promise.resolve().then(() => peer.notify("echo", ["x".repeat(100_000)]));
    for (const each of [call, note])
      await assert.rejects(each, (error) => {
        assert.ok(error instanceof ClosedError && error.cause instanceof ServerExited, String(error));
        assert.match(error.message, /exited with code 7/);
        return true;
      });
    await peer.closed;
  });

  test("what it wrote before it exited is delivered, however busy this side is", async () => {
    const transport = node(
      `process.stdin.once("data", (line) => {
        const { id } = JSON.parse(line);
        process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: "x".repeat(1e5) }) + "\\n");
        console.error("last words"); process.exitCode = 5; process.stdin.destroy();
      }); console.error("up");`,
    );
    const peer = createPeer(transport);
    await until(() => transport.stderr === "up", "it is up");
    const call = peer.request("go") as Promise<string>;
    await new Promise((resolve) => setImmediate(resolve));
    // It ends while nothing is read here.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    assert.equal((await call).length, 100_000);
    assert.match(String(await peer.closed), /exited with code 5 .*last words$/s);
  });

  test("it ends before half of what it wrote was handled here", async () => {
    const handled = new Set<number>();
    const service = implement({
      note: ([n]: [number]) => {
        handled.add(n);
        for (const end = performance.now() + 0.2; performance.now() < end; );
      },
    });
    const peer = service.connect(
      node(`let n = 0; const note = () => JSON.stringify({ jsonrpc: "2.0", method: "note", params: [n++] }) + "\\n";
        const text = Array.from({ length: 4000 }, note).join("");
        require("fs").writeSync(1, text); process.exit(4);`),
    );
    assert.match(String(await peer.closed), /exited with code 4/);
    assert.equal(handled.size, 4000);
  });

  test("it closes its stdout and runs on (STDIO-24)", async () => {
    const peer = createPeer(
      node(`console.error("bye"); require("fs").closeSync(1); setInterval(() => {}, 1e6)`, { shutdown: { end: 100 } }),
    );
    const reason = await peer.closed;
    assert.ok(reason instanceof ServerUnreachable);
    assert.match(reason.message, /closed its stdout, but it still runs\nLast lines of its stderr:\n {2}bye$/);
  });

  test("it closes its stdin and runs on", async () => {
    const transport = node(`require("fs").closeSync(0); setInterval(() => {}, 1e6); console.error("closed")`, {
      shutdown: { end: 100 },
    });
    const peer = createPeer(transport);
    await until(() => transport.stderr === "closed", "it has closed its stdin");
    await assert.rejects(peer.request("echo"), /closed its stdin, but it still runs/);
    await peer.closed;
  });

  test("there is no such program", async () => {
    const peer = createPeer(command("no-such-program", ["--stdio"]));
    await assert.rejects(peer.request("echo"), (error) => {
      const { cause } = error as Error;
      assert.ok(cause instanceof ServerNotStarted);
      assert.equal(cause.code, "ENOENT");
      assert.equal(cause.command, "no-such-program --stdio");
      assert.match(
        cause.message,
        /^"no-such-program --stdio" could not be started: no-such-program is not installed, or in none of the folders of its PATH \(.*\)$/,
      );
      return true;
    });
    await peer.close();
  });

  test("a whole command line in place of a program", async () => {
    const peer = createPeer(command("node server.js"));
    await assert.rejects(
      peer.request("echo"),
      /could not be started: there is no program "node server.js"; arguments go into a list of their own$/,
    );
    await peer.close();
  });

  test("there is no such file, no such folder, no permission", async () => {
    const file = join(folder, "server.sh");
    writeFileSync(file, "#!/bin/sh\n");
    chmodSync(file, 0o644);
    writeFileSync(join(folder, "windows.sh"), "#!/bin/sh\r\n", { mode: 0o755 });
    const reasons = await Promise.all(
      [
        command("./nothing.sh"),
        command("node", [], { cwd: "/no/such/folder" }),
        command(file),
        command("./windows.sh", [], { cwd: folder }),
      ].map((transport) => createPeer(transport).closed.then(String)),
    );
    assert.match(reasons[0] ?? "", /there is no file \.\/nothing\.sh$/);
    assert.match(reasons[1] ?? "", /its folder \/no\/such\/folder does not exist$/);
    assert.match(reasons[2] ?? "", /server\.sh may not be executed; allow it \(chmod \+x\)/);
    assert.match(reasons[3] ?? "", /the interpreter that \.\/windows\.sh names in its first line does not exist/);
    assert.deepEqual(unhandled, []);
  });
});

describe("the end of a command", { concurrency: 2 }, () => {
  test("A04: first its stdin ends, then SIGTERM, then SIGKILL (STDIO-18, STDIO-20, STDIO-21, STDIO-22)", async () => {
    const log = join(folder, "a04");
    const transport = node(
      `const fs = require("fs"), log = (text) => fs.appendFileSync(${JSON.stringify(log)}, text + "\\n");
      process.on("SIGTERM", () => log("SIGTERM"));
      process.stdin.on("end", () => log("eof")); setInterval(() => {}, 1e6);${ECHO}`,
      { shutdown: { end: 300, terminate: 300 } },
    );
    const peer = createPeer(transport);
    await peer.request("echo");
    const { pid } = transport;
    await peer.close();
    assert.equal(runs(pid as number), false);
    assert.equal(readFileSync(log, "utf8"), "eof\nSIGTERM\n");
  });

  test("given all the time in the world it ends when it wants (STDIO-19)", async () => {
    const transport = node(
      `process.stdin.on("end", () => setTimeout(() => console.error("cleaned up"), 200));${ECHO}`,
      {
        shutdown: { end: Infinity },
      },
    );
    const peer = createPeer(transport);
    await peer.request("echo");
    await peer.close();
    assert.equal(transport.stderr, "cleaned up");
  });

  test("what was sent before the close arrives", async () => {
    const log = join(folder, "sent");
    const transport = node(
      `let bytes = 0; setTimeout(() => process.stdin.on("data", (chunk) => (bytes += chunk.length)), 200);
      process.stdin.on("end", () => require("fs").writeFileSync(${JSON.stringify(log)}, String(bytes)));`,
    );
    const peer = createPeer(transport);
    void peer.notify("long", ["x".repeat(3_000_000)]);
    await peer.close();
    assert.ok(Number(readFileSync(log, "utf8")) > 3_000_000);
  });

  test("A05: grandchildren end too, also those that ignore SIGTERM", async () => {
    const file = join(folder, "stubborn.cjs");
    writeFileSync(file, `process.on("SIGTERM", () => {}); console.error(process.pid); setInterval(() => {}, 1e6);`);
    const transport = command("sh", ["-c", `"${process.execPath}" "${file}" & wait`], {
      shutdown: { end: 200, terminate: 300 },
    });
    const peer = createPeer(transport);
    await until(() => transport.stderr !== "", "the grandchild is up");
    const grandchild = Number(transport.stderr);
    assert.ok(runs(grandchild));
    const since = performance.now();
    await peer.close();
    assert.ok(performance.now() - since < 10_000, "it took too long");
    await until(() => !runs(grandchild), "the grandchild is gone");
  });

  test("A05: a process that has left the group and holds the pipes doesn't hold up the close", async () => {
    const transport = node(
      `const g = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "inherit", detached: true });
      g.unref(); console.error(g.pid); ${ECHO}`,
    );
    const peer = createPeer(transport);
    await peer.request("echo");
    await peer.close();
    const daemon = Number(transport.stderr);
    assert.ok(runs(daemon));
    process.kill(daemon);
  });

  test("closing twice is closing once", async () => {
    const peer = createPeer(node(ECHO));
    await peer.request("echo");
    await Promise.all([peer.close(), peer.close()]);
  });
});
