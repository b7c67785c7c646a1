import { Client } from "@modelcontextprotocol/client";
import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { textTransports } from "./text-transport.ts";

/** A client joined to a server in memory. Its entry for stdio is the one that decides between the lifecycles. */
export async function joined(to: () => McpServer, lifecycle: "handshake" | "stateless"): Promise<Client> {
  const [here, there] = textTransports();
  serveStdio(to, { transport: there });
  const mode = lifecycle === "handshake" ? "legacy" : { pin: "2026-07-28" };
  const client = new Client({ name: "host", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(here);
  return client;
}
