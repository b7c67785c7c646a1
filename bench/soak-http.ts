// Ten minutes of mixed HTTP traffic with disconnects, cancellations and expiring sessions, and what is left of it.
//
//   tsx bench/soak-http.ts [--seconds 600] [--clients 16]
//
// The server runs in a process of its own. It must end with the heap that it had after the first half minute, with no
// handle but the one that listens, and with every session gone. Exits with 1 otherwise.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Client, connect } from "@x/mcp/client";
import { http } from "@x/transport-http";

/** What the server says of itself, after collecting its garbage. */
interface State {
  readonly heap: number;
  readonly resources: readonly string[];
}

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "600" }, clients: { type: "string", default: "16" } },
});
const seconds = Number(values.seconds);
const clients = Number(values.clients);
const info = { name: "soak", version: "1.0.0" };

const server = fork(new URL("programs/soak-http-server.ts", import.meta.url), {
  execArgv: [...process.execArgv, "--expose-gc"],
});
const [{ port }] = (await once(server, "message")) as [{ port: number }];
const url = `http://localhost:${port}/mcp`;
const done = { calls: 0, refused: 0, connections: 0 };
const phase = { over: false };

const random = (below: number): number => Math.floor(Math.random() * below);

/** Some calls of one client, of which some are cancelled and some never end. */
async function visit(): Promise<void> {
  const lifecycle = random(2) === 0 ? "stateless" : "handshake";
  const transport = http(url, { reconnect: { initial: 50 }, closeTimeout: 500 });
  const client = await connect(transport, info, { lifecycle, timeout: 10_000, onError: () => {} });
  done.connections++;
  const watching = random(3) === 0 ? client.subscribe({ tools: true }, () => {}) : undefined;
  for (let i = random(30); i >= 0; i--) await call(client);
  await watching?.close().catch(() => {});
  // One in four leaves without a word: its session has to expire.
  if (random(4) === 0) abandoned.push(client);
  else await client.close();
}

const abandoned: Client[] = [];

async function call(client: Client): Promise<void> {
  const signal = random(4) === 0 ? AbortSignal.timeout(random(30)) : undefined;
  const name = ["echo", "report", "wait", "poll", "fail"][random(5)]!;
  try {
    await client.callTool(name, { text: "x".repeat(random(2000)), ms: random(40) }, { signal, onProgress: () => {} });
    done.calls++;
  } catch {
    done.refused++;
  }
}

/** Half requests, and whole ones whose sender is gone before the answer. */
async function vanish(): Promise<void> {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info },
  });
  const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const bytes = (head + body).slice(0, 20 + random(head.length + body.length));
  const socket = connectSocket(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(bytes);
  await sleep(random(20));
  socket.destroy();
}

async function traffic(): Promise<void> {
  while (!phase.over) await (random(5) === 0 ? vanish() : visit().catch(() => void done.refused++));
}

async function stateOf(child: ChildProcess): Promise<State> {
  child.send("state");
  const [state] = (await once(child, "message")) as [State];
  return state;
}

/** Nothing goes on, and sessions have had the time to expire. */
async function settled(): Promise<State> {
  for (const client of abandoned.splice(0)) await client.close().catch(() => {});
  await sleep(4000);
  return await stateOf(server);
}

async function during(ms: number): Promise<State> {
  phase.over = false;
  const running = Array.from({ length: clients }, traffic);
  await sleep(ms);
  phase.over = true;
  await Promise.all(running);
  return await settled();
}

const warm = await during(Math.min(30, seconds / 4) * 1000);
const end = await during(seconds * 1000);
const grown = end.heap - warm.heap;
const left = end.resources.filter(
  (resource) => resource !== "TCPServerWrap" && resource !== "PipeWrap" && resource !== "TTYWrap",
);
console.log(
  `${seconds} s, ${clients} clients: ${done.connections} connections, ${done.calls} calls, ${done.refused} cancelled or refused`,
);
console.log(
  `heap ${warm.heap} → ${end.heap} bytes (${grown >= 0 ? "+" : ""}${grown}); left: ${left.join(", ") || "nothing"}`,
);
server.kill();
if (grown > 1_000_000 || left.length > 0) process.exitCode = 1;
