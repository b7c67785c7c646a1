import type { Program } from "./program.ts";
import { checkRoom, room } from "./room.ts";

export type Lifecycle = "handshake" | "stateless";

const version = "2025-11-25";
const clientInfo = { name: "host", version: "1.0.0" };

export const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {},
};

export const initialize = {
  jsonrpc: "2.0",
  id: "initialize",
  method: "initialize",
  params: { protocolVersion: version, capabilities: {}, clientInfo },
};

export const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };

/** A request as text, for each id: only the id is put in anew. */
export function requests(lifecycle: Lifecycle, method: string, params: object): (id: number) => string {
  const full = lifecycle === "stateless" ? { ...params, _meta: meta } : params;
  const rest = `,"method":${JSON.stringify(method)},"params":${JSON.stringify(full)}}\n`;
  return (id) => `{"jsonrpc":"2.0","id":${id}${rest}`;
}

export const roomCalls = (lifecycle: Lifecycle): ((id: number) => string) =>
  requests(lifecycle, "tools/call", { name: room.name, arguments: room.arguments });

/** Introduces itself where that is asked for, and checks one call. */
export async function open(program: Program, lifecycle: Lifecycle): Promise<void> {
  if (lifecycle === "handshake") {
    await program.exchange(initialize);
    program.write(`${JSON.stringify(initialized)}\n`);
  }
  const { result } = (await program.exchange(JSON.parse(roomCalls(lifecycle)(0)) as object)) as { result?: unknown };
  checkRoom(result);
}
