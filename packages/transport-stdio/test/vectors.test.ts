// The project's JSON-RPC vectors against a real process, in both framings.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { type Framing, contentLength, newline } from "@x/jsonrpc/framing";
import { exchangeOver, runVectors, vectors } from "../../../fixtures/vectors/run.ts";

const server = fileURLToPath(new URL("../../../fixtures/rpc-server.ts", import.meta.url));
const flags = ["--conditions=@x/source", "--import", import.meta.resolve("tsx")];

const framings: readonly (readonly [name: string, framing: Framing])[] = [
  ["newline", newline],
  ["content-length", contentLength],
];

for (const [name, framing] of framings)
  test(`all ${vectors.length} vectors over stdio, framing ${name}`, async () => {
    const child = spawn(process.execPath, [...flags, server, "--stdio", "--framing", name], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const exited = new Promise((resolve) => child.once("exit", resolve));
    const exchange = exchangeOver(
      (text) => child.stdin.write(framing.encode(text)),
      (take) => {
        const decoder = framing.decoder((frame) => take(String(frame)));
        child.stdout.on("data", (chunk: Buffer) => decoder.push(chunk));
      },
    );
    await runVectors(exchange);
    child.stdin.end();
    assert.equal(await exited, 0);
  });
