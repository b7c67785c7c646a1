// What goes wrong with real processes, and what the user reads then.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ClosedError } from "@x/jsonrpc";
import { connect } from "@x/mcp/client";
import { ServerExited, ServerNotStarted, command } from "@x/transport-stdio";
import { oldServer, program, script } from "./programs.ts";

const info = { name: "test", version: "1.0.0" };

describe("a server that can't be had", { concurrency: 2 }, () => {
  test("A06: a command that exits at once: its exit code and its last words", async () => {
    const code = "console.error(`Error: Cannot find module './rooms.js'`);process.exit(3)";
    for (const to of [script(code), () => script(code)])
      await assert.rejects(connect(to, info), (error) => {
        assert.ok(error instanceof ServerExited);
        assert.equal(error.code, 3);
        assert.match(
          String(error),
          /^ServerExited: ".*node.*" exited with code 3 after \d+ ms\nLast lines of its stderr:\n {2}Error: Cannot find module '\.\/rooms\.js'$/,
        );
        return true;
      });
  });

  test("a command that exits without a word, or is killed", async () => {
    await assert.rejects(connect(script(""), info), /exited with code 0 after \d+ ms$/);
    await assert.rejects(connect(script("process.kill(process.pid, 'SIGKILL')"), info), /was ended by SIGKILL/);
  });

  test("a command that isn't there: what is missing, and where it was looked for", async () => {
    await assert.rejects(connect(command("no-such-program", ["--stdio"]), info), (error) => {
      assert.ok(error instanceof ServerNotStarted);
      assert.match(
        String(error),
        /^ServerNotStarted: "no-such-program --stdio" could not be started: no-such-program is not installed, or .* PATH/,
      );
      return true;
    });
  });

  test("a program that is no server, but stays: a timeout that says what was asked (LIFE-19, TIME-01)", async () => {
    await assert.rejects(connect(script("setInterval(() => {}, 1000)"), info, { timeout: 1500 }), {
      name: "TimeoutError",
      message: /^No answer to "(initialize|server\/discover)" within 1500 ms$/,
    });
  });
});

describe("a server that misbehaves", { concurrency: 2 }, () => {
  test("STDIO-04: a banner, logs and broken JSON on stdout are reported, and the conversation goes on", async () => {
    const errors: string[] = [];
    const server = oldServer("chatty");
    const client = await connect(server, info, { onError: (error) => errors.push(String(error)) });
    assert.deepEqual((await client.callTool("greet")).content, [{ type: "text", text: "hello" }]);
    await client.close();
    assert.equal(server.starts(), 1);
    assert.ok(
      errors.some((error) => error.includes("Welcome to the old server!")),
      errors.join("\n"),
    );
    assert.ok(errors.length >= 7, errors.join("\n"));
  });

  test("A22: a server that dies while it is called: the call rejects at once and says why; another can be had (STDIO-17)", async () => {
    const server = oldServer(-32601);
    const client = await connect(server, info);
    await assert.rejects(client.callTool("die"), (error) => {
      assert.ok(error instanceof ClosedError);
      assert.match(
        error.message,
        /^"tools\/call" was not answered: ".*" exited with code 9 after \d+ ms\nLast lines .*\n {2}I was told to die$/,
      );
      assert.ok(error.cause instanceof ServerExited);
      assert.equal(error.cause.code, 9);
      return true;
    });
    await assert.rejects(client.callTool("greet"), /"tools\/call" was not sent: .* exited with code 9/);
    assert.ok((await client.closed) instanceof ServerExited);
    const again = await connect(server, info);
    assert.deepEqual((await again.callTool("greet")).content, [{ type: "text", text: "hello" }]);
    await again.close();
  });

  test("A23: connect and close, over and over", async () => {
    const server = oldServer(-32601);
    for (let i = 0; i < 5; i++) await (await connect(server, info)).close();
    assert.equal(server.starts(), 5);
  });
});

test("a server of eight lines, called rightly and wrongly", async () => {
  const client = await connect(program("smallest.ts"), info);
  assert.deepEqual((await client.callTool("add", { a: 1, b: 2 })).content, [{ type: "text", text: "3" }]);
  const misfit = await client.callTool("add", { a: 1, b: "2" });
  assert.equal(misfit.isError, true);
  const [block] = misfit.content;
  assert.match(block?.type === "text" ? block.text : "", /^Invalid arguments for tool "add": b: .* \(at \/b\)$/);
  await assert.rejects(client.callTool("ad", { a: 1, b: 2 }), {
    name: "RpcError",
    code: -32602,
    message: 'Unknown tool: "ad"',
  });
  await client.close();
});
