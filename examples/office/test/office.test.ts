import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { memoryPair } from "@x/jsonrpc";
import { type LifecycleName } from "@x/mcp";
import { connect } from "@x/mcp/client";
import { command, streamTransport } from "@x/transport-stdio";
import { createOffice } from "../office.ts";
import { useEveryTool, visitAnnex } from "./everything.ts";
import { temporaryFolder } from "./temporary.ts";

const host = { name: "host", version: "1.0.0" };
const lifecycles: readonly LifecycleName[] = ["stateless", "handshake"];
const twoConnections = fileURLToPath(new URL("two-connections.ts", import.meta.url));
const server = fileURLToPath(new URL("../server.ts", import.meta.url));

test("memory: one office, a connection in each lifecycle at once, every tool", async (t) => {
  const folder = temporaryFolder();
  const office = createOffice(folder);
  t.after(() => office.close());
  const clients = await Promise.all(
    lifecycles.map(async (lifecycle) => {
      const [near, far] = memoryPair();
      office.connect(far);
      return await connect(near, host, { lifecycle });
    }),
  );
  assert.deepEqual(
    clients.map(({ revision }) => revision.lifecycle),
    lifecycles,
  );
  await Promise.all(clients.map((client, index) => useEveryTool(client, `2026-12-0${index + 1}`)));
  await visitAnnex(clients, folder);
  await office.close();
  await Promise.all(clients.map(({ closed }) => closed));
});

for (const [first, second] of [lifecycles, lifecycles.toReversed()] as [LifecycleName, LifecycleName][])
  test(`stdio: one office in a process of its own, ${first} and ${second} at once, every tool`, async (t) => {
    const folder = temporaryFolder();
    const child = spawn(process.execPath, [...process.execArgv, twoConnections, folder], {
      stdio: ["pipe", "pipe", "inherit", "pipe"],
    });
    t.after(() => child.kill());
    const socket = child.stdio[3] as Socket;
    const clients = await Promise.all([
      connect(streamTransport(child.stdout!, child.stdin!), host, { lifecycle: first }),
      connect(streamTransport(socket, socket), host, { lifecycle: second }),
    ]);
    await Promise.all(clients.map((client, index) => useEveryTool(client, `2026-12-0${index + 1}`)));
    await visitAnnex(clients, folder);
    await Promise.all(clients.map((client) => client.close()));
    assert.deepEqual(await once(child, "exit"), [0, null]);
  });

describe("server.ts", { concurrency: true }, () => {
  for (const lifecycle of lifecycles)
    test(`${lifecycle}: started and ended by its client, every tool`, async (t) => {
      const folder = temporaryFolder();
      const program = command(process.execPath, [...process.execArgv, server, folder]);
      const client = await connect(program, host, { lifecycle });
      t.after(() => client.close());
      assert.equal(program.stderr, `bookings are in ${folder}`);
      await useEveryTool(client, "2026-12-01");
      await visitAnnex([client], folder);
      await client.close();
      assert.throws(() => process.kill(program.pid!, 0), { code: "ESRCH" });
    });
});
