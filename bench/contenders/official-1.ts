import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { room } from "./room.ts";
import { roomInput } from "./room-input.ts";
import { textTransports } from "./text-transport.ts";

export function server(): McpServer {
  const made = new McpServer({ name: "office", version: "1.0.0" });
  made.registerTool(room.name, { description: room.description, inputSchema: roomInput.shape }, (args) => ({
    content: [{ type: "text", text: room.answer(args) }],
  }));
  return made;
}

/** The same with further tools beside the one that is called, `tools` in all. */
export function serverOf(tools: number): McpServer {
  const made = server();
  for (let i = 1; i < tools; i++)
    made.registerTool(`tool-${i}`, { description: room.description, inputSchema: roomInput.shape }, () => ({
      content: [],
    }));
  return made;
}

/** A client joined to a server in memory. */
export async function joined(to: McpServer): Promise<Client> {
  const [here, there] = textTransports();
  await to.connect(there);
  const client = new Client({ name: "host", version: "1.0.0" });
  await client.connect(here);
  return client;
}
