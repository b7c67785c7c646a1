import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { connect } from "@x/mcp/client";
import { type HttpOptions, http } from "@x/transport-http";
import { nodeFetch } from "@x/transport-http/node";
import { HttpProgram } from "../contenders/http-program.ts";
import { SLOW } from "../contenders/http-servers.ts";
import { inFlight } from "../contenders/in-flight.ts";
import { againstOfficial } from "../contenders/lifecycle-bars.ts";
import type { Lifecycle } from "../contenders/raw-client.ts";
import { checkRoom, room } from "../contenders/room.ts";
import type { Row, Subject } from "../harness/row.ts";
import { STEADY } from "../harness/steady.ts";

const info = { name: "host", version: "1.0.0" };
const params = { name: room.name, arguments: room.arguments };

/** A client of a server that checks nothing, in another process. */
interface Caller {
  readonly call: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

async function calling(open: (url: string) => Promise<Caller>): Promise<Subject> {
  const server = await HttpProgram.start("http-bare", [], [STEADY]);
  const { call, close } = await open(`http://127.0.0.1:${server.port}/mcp`);
  checkRoom(await call());
  return {
    slow: SLOW,
    run: (n) => inFlight(n, 32, call),
    close: async () => {
      await close();
      await server.stop();
    },
  };
}

async function ours(url: string, lifecycle: Lifecycle, options: HttpOptions = { fetch: nodeFetch }): Promise<Caller> {
  const client = await connect(http(url, options), info, { lifecycle });
  return { call: () => client.callTool(room.name, room.arguments), close: () => client.close() };
}

async function official1(url: string): Promise<Caller> {
  const client = new Client1(info);
  await client.connect(new Http1(new URL(url)));
  return { call: () => client.callTool(params), close: () => client.close() };
}

async function official2(url: string, lifecycle: Lifecycle): Promise<Caller> {
  const mode = lifecycle === "handshake" ? "legacy" : { pin: "2026-07-28" };
  const client = new Client2(info, { versionNegotiation: { mode } });
  await client.connect(new Http2(new URL(url)));
  return { call: () => client.callTool(params), close: () => client.close() };
}

/** The limit: fetch, and JSON both ways. */
async function bare(url: string): Promise<Caller> {
  let id = 0;
  const call = async (): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "tools/call", params });
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    return ((await response.json()) as { result?: unknown }).result;
  };
  return { call, close: async () => {} };
}

export default {
  title: "Client: callTool over HTTP against a bare server, 32 in flight",
  note: "Calls per second of the client's own processor time. Ours by nodeFetch, all others by the global fetch.",
  // The official clients give one signal to every request, of which Node warns thousands of times.
  flags: ["--no-warnings"],
  contenders: [
    { name: "ours, handshake", kind: "ours", prepare: () => calling((url) => ours(url, "handshake")) },
    { name: "ours, stateless", kind: "ours", prepare: () => calling((url) => ours(url, "stateless")) },
    { name: "ours, global fetch", kind: "ours", prepare: () => calling((url) => ours(url, "stateless", {})) },
    { name: "official 1.x", kind: "peer", prepare: () => calling(official1) },
    { name: "official 2.x, handshake", kind: "peer", prepare: () => calling((url) => official2(url, "handshake")) },
    { name: "official 2.x, stateless", kind: "peer", prepare: () => calling((url) => official2(url, "stateless")) },
    { name: "bare fetch", kind: "bare", prepare: () => calling(bare) },
  ],
  bars: againstOfficial({ atLeast: 4 }),
} satisfies Row;
