// A host that ends without closing its servers.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPeer } from "@x/jsonrpc";
import { command } from "@x/transport-stdio";
import { program, runs, script, start, until } from "./programs.ts";

/** Ignores the end of its input and SIGTERM. */
const STUBBORN = `process.on("SIGTERM", () => {}); process.on("SIGINT", () => {}); process.stdin.resume();
  setInterval(() => {}, 1e6); console.error("up")`;
/** Ignores the end of its input. */
const FORGETFUL = `setInterval(() => {}, 1e6); console.error("up")`;
const POLITE = `process.stdin.resume(); console.error("up")`;

const counts = (): number[] => ["exit", "SIGINT", "SIGTERM", "SIGHUP"].map((event) => process.listenerCount(event));

async function host(how: string, server: string) {
  const [node, args] = script(server);
  const { child, ended } = start(program("host", how, node, ...args));
  const [chunk] = (await new Promise((resolve) => child.stdout.once("data", (data) => resolve([data])))) as [Buffer];
  return { child, ended, server: Number(/server (\d+)/.exec(String(chunk))?.[1]) };
}

describe("a server whose host ends without closing it", { concurrency: 2 }, () => {
  test("process.exit: it ends with the host, however stubborn, and the exit code stays", async () => {
    const { ended, server } = await host("exit", STUBBORN);
    assert.equal((await ended).code, 7);
    await until(() => !runs(server), "the server is gone");
  });

  test("an uncaught error: the same", async () => {
    const { ended, server } = await host("throw", FORGETFUL);
    const { code, stderr } = await ended;
    assert.equal(code, 1);
    assert.match(stderr, /on purpose/);
    await until(() => !runs(server), "the server is gone");
  });

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    test(`${signal}: the host still dies of it, and the server ends`, async () => {
      const { child, ended, server } = await host("wait", FORGETFUL);
      child.kill(signal);
      assert.equal((await ended).signal, signal);
      await until(() => !runs(server), "the server is gone");
    });

  test("SIGINT that the host listens to is the host's own matter, each time", async () => {
    const { child, ended, server } = await host("listen", POLITE);
    for (const times of [1, 2]) {
      const heard = new Promise((resolve) => child.stdout.once("data", resolve));
      child.kill("SIGINT");
      assert.match(String(await heard), /SIGINT is mine/, `time ${times}`);
    }
    assert.ok(runs(server));
    child.kill("SIGKILL");
    await ended;
    await until(() => !runs(server), "the server is gone");
  });

  test("SIGINT that the host listened to once: the next one is an end for both", async () => {
    const { child, ended, server } = await host("once", FORGETFUL);
    const heard = new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGINT");
    assert.match(String(await heard), /the first SIGINT is mine/);
    // It speaks in the middle of its listener.
    await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill("SIGINT");
    assert.equal((await ended).signal, "SIGINT");
    await until(() => !runs(server), "the server is gone");
  });

  test("SIGKILL: a server that heeds the end of its input ends", async () => {
    const { child, ended, server } = await host("wait", POLITE);
    child.kill("SIGKILL");
    await ended;
    await until(() => !runs(server), "the server is gone");
  });

  test("listeners are there only while a command runs, and only once", async () => {
    const before = counts();
    const peers = [1, 2, 3].map(() => createPeer(command(...script(POLITE))));
    await until(() => counts().every((count, i) => count === (before[i] ?? 0) + 1), "one listener each");
    await Promise.all(peers.map((peer) => peer.close()));
    assert.deepEqual(counts(), before);
  });
});
