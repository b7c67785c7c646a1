import { Client } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { room } from "./room.ts";
import { roomInput } from "./room-input.ts";
import { textTransports } from "./text-transport.ts";

export function server(): McpServer {
  const made = new McpServer({ name: "office", version: "1.0.0" });
  made.registerTool(room.name, { description: room.description, inputSchema: roomInput }, (args) => ({
    content: [{ type: "text", text: room.answer(args) }],
  }));
  return made;
}

/** The same with further tools beside the one that is called, `tools` in all. */
export function serverOf(tools: number): McpServer {
  const made = server();
  for (let i = 1; i < tools; i++)
    made.registerTool(`tool-${i}`, { description: room.description, inputSchema: roomInput }, () => ({ content: [] }));
  return made;
}

/** A client joined to a server in memory. Its entry for stdio is the one that decides between the lifecycles. */
export async function joined(to: () => McpServer, lifecycle: "handshake" | "stateless"): Promise<Client> {
  const [here, there] = textTransports();
  serveStdio(to, { transport: there });
  const mode = lifecycle === "handshake" ? "legacy" : { pin: "2026-07-28" };
  const client = new Client({ name: "host", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(here);
  return client;
}
