import type { Subject } from "../harness/row.ts";
import { STEADY } from "../harness/steady.ts";
import { HttpDriver, post } from "./http-driver.ts";
import { HttpProgram } from "./http-program.ts";
import { type Lifecycle, initialize, initialized, roomCalls } from "./raw-client.ts";
import { checkRoom, room } from "./room.ts";

const CONNECTIONS = 32;

/** Requests until an HTTP server is warm: the first thousands take ten times as long as the later ones. */
export const SLOW = 25_000;

/** A server of one tool, or of many, called over 32 connections at once. */
export async function httpServer(name: string, lifecycle: Lifecycle, tools = 1): Promise<Subject> {
  const server = await HttpProgram.start(name, [String(tools)], [STEADY]);
  const driver = await HttpDriver.open(server.port, CONNECTIONS);
  const version = lifecycle === "stateless" ? "2026-07-28" : "2025-11-25";
  const headers: Record<string, string> = { "mcp-protocol-version": version };
  if (lifecycle === "handshake") {
    const { headers: answered } = await driver.exchange(post(initialize, headers));
    const [, session] = /^mcp-session-id: (.+)$/m.exec(answered) ?? [];
    if (session !== undefined) headers["mcp-session-id"] = session.trim();
    await driver.exchange(post(initialized, headers));
  } else Object.assign(headers, { "mcp-method": "tools/call", "mcp-name": room.name });
  const request = post(JSON.parse(roomCalls(lifecycle)(1)) as object, headers);
  const { body } = await driver.exchange(request);
  checkRoom((JSON.parse(/\{.*\}/.exec(body)?.[0] ?? "{}") as { result?: unknown }).result);
  return {
    slow: SLOW,
    run: (n) => driver.run(n, request),
    spent: () => server.ask("spent"),
    close: async () => {
      driver.close();
      await server.stop();
    },
  };
}
