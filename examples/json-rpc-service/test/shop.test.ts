import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Peer, createPeer, implement, memoryPair } from "@x/jsonrpc";
import type { LogRecord } from "@x/jsonrpc/middleware";
import { streamTransport } from "@x/transport-stdio";
import { run } from "../../../scripts/run.ts";
import { type Customer, type Shop, SoldOut } from "../contract.ts";
import { ShopServer } from "../shop.ts";

const pathOf = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));
const program = (file: string, ...args: string[]): string[] => [...process.execArgv, pathOf(file), ...args];
const [, shown] = /```text\n(.*?)```/s.exec(readFileSync(pathOf("README.md"), "utf8"))!;

/** A server on a port that the system chooses, and a line of its stderr for each call. */
async function listening(): Promise<{ server: ChildProcess; port: number; lines: string[] }> {
  const server = spawn(process.execPath, program("server.ts", "--port", "0"), { stdio: ["ignore", "inherit", "pipe"] });
  const lines: string[] = [];
  const reader = createInterface(server.stderr).on("line", (line) => lines.push(line));
  const [first] = (await once(reader, "line")) as [string];
  return { server, lines, port: Number(/^listening on 127\.0\.0\.1:(\d+)$/.exec(first)?.[1]) };
}

const silent = (): void => {};

const customer = (stockChanged: (params: { itemId: string; left: number }) => void) =>
  implement<Customer>({ approve: () => true, stockChanged });

test("over stdio: the client prints what the README shows", async () => {
  const { ok, output, stdout } = await run(process.execPath, program("client.ts"), { timeout: 60_000 });
  assert.ok(ok, output);
  assert.equal(output, stdout);
  assert.equal(stdout, shown);
});

test("over TCP: the same, and at SIGTERM the server takes leave of whoever is connected", async (t) => {
  const { server, lines, port } = await listening();
  t.after(() => server.kill("SIGKILL"));
  const told: unknown[] = [];
  const socket = connect(port, "127.0.0.1");
  const onlooker = customer((change) => told.push(change)).connect<Shop>(streamTransport(socket, socket));
  assert.equal(await onlooker.request("queryStock", { itemId: "SKU001" }), 120);

  const { ok, output, stdout } = await run(process.execPath, program("client.ts", "--port", String(port)), {
    timeout: 60_000,
  });
  assert.ok(ok, output);
  assert.equal(stdout, shown);
  assert.deepEqual(told, [{ itemId: "SKU002", left: 1 }]);

  const records = lines.slice(1).map((line) => JSON.parse(line) as LogRecord);
  assert.deepEqual(
    records
      .filter(({ outcome }) => outcome !== "ok")
      .slice(0, 4) // the call that is given up goes on for a while
      .map(({ method, code }) => [method, code]),
    [
      ["order", 1001],
      ["order", 1002],
      ["order", -32602],
      ["takeInventory", -32000],
    ],
  );

  server.kill("SIGTERM");
  await onlooker.closed;
  assert.deepEqual(await once(server, "exit"), [0, null]);
});

test("two customers want the last one: exactly one gets it, both hear of it", async () => {
  const server = new ShopServer({ debug: silent, info: silent, warn: silent, error: silent });
  const told: string[] = [];
  const shops = ["ann", "bob"].map((name): Peer<Shop> => {
    const [near, far] = memoryPair();
    server.connect(far);
    const service = customer(({ itemId, left }) => told.push(`${name}: ${left} of ${itemId}`));
    return createPeer<Shop>(near, { service, errors: [SoldOut] });
  });
  const outcomes = await Promise.allSettled(
    shops.map((shop) => shop.request("order", { orderId: randomUUID(), itemId: "SKU002", count: 2 })),
  );
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  const lost = outcomes.find((outcome) => outcome.status === "rejected");
  assert.ok(lost?.reason instanceof SoldOut);
  assert.equal(lost.reason.data.left, 1);
  assert.deepEqual(told.sort(), ["ann: 1 of SKU002", "bob: 1 of SKU002"]);

  await Promise.all(shops.map((shop) => shop.close()));
  assert.equal(server.customers.size, 0);
});
