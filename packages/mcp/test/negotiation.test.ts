// G01: real processes that have never heard of the stateless revision, each with its own idea of what to do about it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Client, connect } from "@x/mcp/client";
import { ServerExited } from "@x/transport-stdio";
import { oldServer } from "./programs.ts";

const info = { name: "test", version: "1.0.0" };

async function saysHello(client: Client): Promise<void> {
  assert.equal(client.revision.version, "2025-11-25");
  assert.deepEqual((await client.callTool("greet")).content, [{ type: "text", text: "hello" }]);
  await client.close();
}

describe("G01: connect finds out how an old server over stdio is met", { concurrency: 2 }, () => {
  for (const code of [-32601, -32602, -32600])
    test(`one that answers ${code}: on the same connection, one process (ERA-07)`, async () => {
      const server = oldServer(code);
      await saysHello(await connect(server, info));
      assert.equal(server.starts(), 1);
    });

  test("one that exits: it is started once more, and from then on met by a handshake at once (ERA-13)", async () => {
    const server = oldServer("exit");
    await saysHello(await connect(server, info));
    assert.equal(server.starts(), 2);
    await saysHello(await connect(server, info));
    assert.equal(server.starts(), 3);
  });

  test("one that exits and is slow to start: the same", async () => {
    const server = oldServer("exit", 800);
    await saysHello(await connect(server, info));
    assert.equal(server.starts(), 2);
  });

  test("one that stays silent: in about a second, one process (ERA-06)", async () => {
    const server = oldServer("silence");
    const started = performance.now();
    await saysHello(await connect(server, info));
    assert.equal(server.starts(), 1);
    assert.ok(performance.now() - started < 20_000, "long before the timeout of a minute");
  });

  test("one that is slow to start: one process", async () => {
    const server = oldServer(-32601, 800);
    await saysHello(await connect(server, info));
    assert.equal(server.starts(), 1);
  });

  test("one that exits, given as a connection that can't be made again: the exit is the reason", async () => {
    const server = oldServer("exit");
    await assert.rejects(connect(server(), info), (error) => error instanceof ServerExited && error.code === 1);
    assert.equal(server.starts(), 1);
  });

  test("one that exits, whose way of being met is given: one process", async () => {
    const server = oldServer("exit");
    await saysHello(await connect(server(), info, { lifecycle: "handshake" }));
    assert.equal(server.starts(), 1);
  });
});
