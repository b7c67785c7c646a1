import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Subject } from "../harness/row.ts";
import { HttpDriver } from "./http-driver.ts";
import { pathOf } from "./program.ts";
import { type Lifecycle, initialize, initialized, roomCalls } from "./raw-client.ts";
import { checkRoom, room } from "./room.ts";

const CONNECTIONS = 32;

/** Requests until an HTTP server is warm: the first thousands take ten times as long as the later ones. */
export const SLOW = 15_000;

/** A server of one tool, or of many, called over 32 connections at once. */
export async function httpServer(name: string, lifecycle: Lifecycle, tools = 1): Promise<Subject> {
  const child = spawn(process.execPath, [pathOf(name), String(tools)], {
    stdio: ["pipe", "pipe", "inherit", "ipc"],
  });
  const driver = await HttpDriver.open(await portOf(child), CONNECTIONS);
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
    spent: async () => {
      child.send("spent");
      return ((await once(child, "message")) as [number])[0];
    },
    close: async () => {
      driver.close();
      child.kill();
      await once(child, "close");
    },
  };
}

/** The program's first line is the port that it listens on. */
async function portOf(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new TypeError("A server without stdout");
  for await (const line of createInterface({ input: child.stdout })) return Number(line);
  throw new Error("The server ended before it listened");
}

function post(message: object, headers: Readonly<Record<string, string>>): Buffer {
  const body = JSON.stringify(message);
  const all = {
    host: "127.0.0.1",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST /mcp HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}
