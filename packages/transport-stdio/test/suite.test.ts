// The contract of transports, kept over real pipes and sockets.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type Socket, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Transport } from "@x/jsonrpc";
import { type Framing, contentLength, newline } from "@x/jsonrpc/framing";
import { transportSuite } from "@x/jsonrpc/testing";
import { command, streamTransport } from "@x/transport-stdio";
import { program } from "./programs.ts";
import { listening, socketPair } from "./sockets.ts";

const folder = mkdtempSync(join(tmpdir(), "suite-"));
after(() => rmSync(folder, { recursive: true }));
let sockets = 0;

const overSocket = async (path?: string): Promise<[Transport, Transport]> => {
  const [a, b] = await socketPair(path);
  return [streamTransport(a, a), streamTransport(b, b)];
};

/** A program at one end, and behind it a socket through which its messages come back here. */
async function throughProgram(name: string, framing: Framing): Promise<[Transport, Transport]> {
  const [end, middle] = await socketPair();
  const server = createServer({ allowHalfOpen: true });
  const port = await listening(server);
  // The program is started when its transport is opened.
  void once(server, "connection").then(([socket]: Socket[]) => {
    server.close();
    socket?.pipe(middle).pipe(socket);
  });
  const [node, args] = program("relay", String(port), name);
  return [command(node, args, { framing }), streamTransport(end, end)];
}

transportSuite("TCP (STDIO-32)", () => overSocket(), test);
transportSuite("Unix socket (STDIO-32)", () => overSocket(join(folder, String(++sockets))), test);
transportSuite("stdio, newline", () => throughProgram("newline", newline), test);
transportSuite("stdio, Content-Length", () => throughProgram("content-length", contentLength), test);
