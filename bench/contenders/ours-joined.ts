import { memoryPair } from "@x/jsonrpc";
import { type Client, connect } from "@x/mcp/client";
import type { McpServer } from "@x/mcp/server";

/** A client joined to a server in memory. */
export async function joined(to: McpServer, lifecycle: "handshake" | "stateless"): Promise<Client> {
  const [here, there] = memoryPair();
  to.connect(there);
  return await connect(here, { name: "host", version: "1.0.0" }, { lifecycle });
}
