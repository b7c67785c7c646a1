import { spawn } from "node:child_process";
import { once } from "node:events";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { connect } from "@x/mcp/client";
import { command } from "@x/transport-stdio";
import { barePeer } from "../contenders/bare-peer.ts";
import { inFlight } from "../contenders/in-flight.ts";
import { againstOfficial } from "../contenders/lifecycle-bars.ts";
import { lineEnd } from "../contenders/line-end.ts";
import { pathOf } from "../contenders/program.ts";
import type { Lifecycle } from "../contenders/raw-client.ts";
import { checkRoom, room } from "../contenders/room.ts";
import type { Row, Subject } from "../harness/row.ts";
import { STEADY } from "../harness/steady.ts";

const info = { name: "host", version: "1.0.0" };
const server = { command: process.execPath, args: [STEADY, pathOf("bare")] };

async function calling(call: () => Promise<unknown>, close: () => Promise<void>): Promise<Subject> {
  checkRoom(await call());
  return { run: (n) => inFlight(n, 64, call), close };
}

async function ours(lifecycle: Lifecycle): Promise<Subject> {
  const client = await connect(command(server.command, server.args), info, { lifecycle });
  return await calling(
    () => client.callTool(room.name, room.arguments),
    () => client.close(),
  );
}

/** The limit: lines in and out, a Map of ids. */
async function bare(): Promise<Subject> {
  const child = spawn(server.command, server.args, { stdio: ["pipe", "pipe", "inherit"] });
  const peer = barePeer(lineEnd(child.stdout, child.stdin));
  return await calling(
    () => peer.request("tools/call", { name: room.name, arguments: room.arguments }),
    async () => {
      child.stdin.end();
      await once(child, "close");
    },
  );
}

async function official1(): Promise<Subject> {
  const client = new Client1(info);
  await client.connect(new Stdio1(server));
  return await calling(
    () => client.callTool({ name: room.name, arguments: room.arguments }),
    () => client.close(),
  );
}

async function official2(lifecycle: Lifecycle): Promise<Subject> {
  const mode = lifecycle === "handshake" ? "legacy" : { pin: "2026-07-28" };
  const client = new Client2(info, { versionNegotiation: { mode } });
  await client.connect(new Stdio2(server));
  return await calling(
    () => client.callTool({ name: room.name, arguments: room.arguments }),
    () => client.close(),
  );
}

export default {
  title: "Client: callTool over stdio against a bare server, 64 in flight",
  note: "Calls per second of the client's own processor time.",
  contenders: [
    { name: "ours, handshake", kind: "ours", prepare: () => ours("handshake") },
    { name: "ours, stateless", kind: "ours", prepare: () => ours("stateless") },
    { name: "official 1.x", kind: "peer", prepare: official1 },
    { name: "official 2.x, handshake", kind: "peer", prepare: () => official2("handshake") },
    { name: "official 2.x, stateless", kind: "peer", prepare: () => official2("stateless") },
    { name: "bare", kind: "bare", prepare: bare },
  ],
  bars: againstOfficial({ atLeast: 4 }),
} satisfies Row;
