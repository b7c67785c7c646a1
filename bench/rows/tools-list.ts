import { McpServer as Server1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer as Server2 } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { McpServer } from "@x/mcp/server";
import { againstOfficial } from "../contenders/lifecycle-bars.ts";
import { roomInput } from "../contenders/room-input.ts";
import { type Lifecycle, initialize, initialized, requests } from "../contenders/raw-client.ts";
import { type TextEnd, textPair } from "../contenders/text-pair.ts";
import { TextTransport } from "../contenders/text-transport.ts";
import { EndTransport } from "../contenders/end-transport.ts";
import type { Row, Subject } from "../harness/row.ts";

const TOOLS = 100;
const info = { name: "office", version: "1.0.0" };
const names = Array.from({ length: TOOLS }, (_, i) => `tool-${i}`);
const description = "Free slots of a meeting room on one day";

/** Lists as text, one after another, without a client that would read them; the first is read and checked. */
async function listing(end: TextEnd, lifecycle: Lifecycle): Promise<Subject> {
  const exchange = (text: string): Promise<string> =>
    new Promise((resolve) => {
      end.onText = resolve;
      end.send(text);
    });
  if (lifecycle === "handshake") {
    await exchange(JSON.stringify(initialize));
    end.send(JSON.stringify(initialized));
  }
  const request = requests(lifecycle, "tools/list", {});
  const { result } = JSON.parse(await exchange(request(0))) as { result?: { tools?: readonly unknown[] } };
  if (result?.tools?.length !== TOOLS) throw new Error(`Expected ${TOOLS} tools, got ${JSON.stringify(result)}`);
  return {
    run: async (n) => {
      for (let id = 1; id <= n; id++) await exchange(request(id));
    },
    close: () => {},
  };
}

function ours(lifecycle: Lifecycle): Promise<Subject> {
  const server = new McpServer(info);
  for (const name of names) server.tool(name, { description, input: roomInput }, () => "");
  const [here, there] = textPair();
  server.connect(new EndTransport(there));
  return listing(here, lifecycle);
}

async function official1(): Promise<Subject> {
  const server = new Server1(info);
  for (const name of names)
    server.registerTool(name, { description, inputSchema: roomInput.shape }, () => ({ content: [] }));
  const [here, there] = textPair();
  await server.connect(new TextTransport(there));
  return await listing(here, "handshake");
}

function server2(): Server2 {
  const server = new Server2(info);
  for (const name of names) server.registerTool(name, { description, inputSchema: roomInput }, () => ({ content: [] }));
  return server;
}

function official2(lifecycle: Lifecycle): Promise<Subject> {
  const [here, there] = textPair();
  serveStdio(server2, { transport: new TextTransport(there) });
  return listing(here, lifecycle);
}

export default {
  title: "MCP tools/list of 100 tools, server in memory, as text",
  contenders: [
    { name: "ours, handshake", kind: "ours", prepare: () => ours("handshake") },
    { name: "ours, stateless", kind: "ours", prepare: () => ours("stateless") },
    { name: "official 1.x", kind: "peer", prepare: official1 },
    { name: "official 2.x, handshake", kind: "peer", prepare: () => official2("handshake") },
    { name: "official 2.x, stateless", kind: "peer", prepare: () => official2("stateless") },
  ],
  bars: againstOfficial({ atLeast: 20 }),
} satisfies Row;
