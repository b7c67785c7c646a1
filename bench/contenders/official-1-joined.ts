import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { textTransports } from "./text-transport.ts";

/** A client joined to a server in memory. */
export async function joined(to: McpServer): Promise<Client> {
  const [here, there] = textTransports();
  await to.connect(there);
  const client = new Client({ name: "host", version: "1.0.0" });
  await client.connect(here);
  return client;
}
