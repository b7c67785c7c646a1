// Starts the office and has a host's whole conversation with it, printed message by message:
// node host.ts [--lifecycle stateless | handshake]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Message } from "@x/jsonrpc";
import { tap } from "@x/jsonrpc/testing";
import { connect } from "@x/mcp/client";
import { command } from "@x/transport-stdio";
import { converse } from "./conversation.ts";
import { Transcript } from "./transcript.ts";

const { lifecycle } = parseArgs({ options: { lifecycle: { type: "string", default: "stateless" } } }).values;
if (lifecycle !== "stateless" && lifecycle !== "handshake")
  throw new TypeError(`--lifecycle must be stateless or handshake, got ${lifecycle}`);

const { stdout } = process;
// Whoever reads may stop before the end, as `head` does.
stdout.on("error", () => {});
const transcript = new Transcript((line) => stdout.write(`${line}\n`), {
  colour: stdout.isTTY && stdout.hasColors(),
  width: (stdout.isTTY && stdout.columns) || 140,
  now: () => performance.now(),
});

const folder = await mkdtemp(join(tmpdir(), "office-"));
try {
  transcript.heading(lifecycle === "stateless" ? "Meet without a handshake" : "Meet by a handshake");
  const server = command(process.execPath, [...process.execArgv, pathOf("server.ts"), folder], {
    stderr: (line) => transcript.note(`server: ${line}`),
  });
  const tapped = tap(server, ({ direction, message }) => transcript.message(direction, message as Message));
  const client = await connect(tapped, { name: "host", version: "1.0.0" }, { lifecycle });
  try {
    await converse(client, folder, transcript);
  } finally {
    await client.close();
  }
  transcript.note(`server: process ${server.pid} has ended`);
  transcript.end();
} finally {
  await rm(folder, { recursive: true });
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
