// The curl commands of docs/http.md, run as they stand there, against the server that the page shows.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";
import { execFile, spawnSync } from "node:child_process";
import { McpServer } from "@x/mcp/server";
import { nodeListener } from "../src/index.ts";
import { listening } from "./serve.ts";

const page = readFileSync(new URL("../../../docs/http.md", import.meta.url), "utf8");
const required = process.env["REQUIRE_PROGRAMS"] === "1";
const there = required || spawnSync("curl", ["--version"]).status === 0;

interface Command {
  readonly command: string;
  /** The lines that the page says come back; `…` stands for anything. */
  readonly expected: readonly string[];
}

function commandsOf(markdown: string): Command[] {
  const blocks = [...markdown.matchAll(/```sh file=curl\.sh\n(.*?)```/gs)].map(([, text = ""]) => text);
  return blocks
    .join("\n")
    .split(/\n(?=curl )/)
    .map((text) => {
      const lines = text.trim().split("\n");
      const expected = lines.filter((line) => line.startsWith("#")).map((line) => line.slice(2).trim());
      return { command: lines.filter((line) => !line.startsWith("#")).join("\n"), expected };
    });
}

const run = promisify(execFile);

test("curl by hand, as docs/http.md shows it", { skip: !there }, async (t) => {
  const server = new McpServer({ name: "office", version: "1.0.0" });
  const input = { type: "object", properties: { room: { type: "string" } }, required: ["room"] };
  server.tool(
    "queryRoom",
    { description: "Whether a meeting room is free", input },
    ({ room }) => `${String(room)} is free`,
  );
  const port = await listening(t, nodeListener(server, { path: "/mcp" }));
  const commands = commandsOf(page);
  assert.equal(commands.length, 4);
  let session = "";
  for (const { command, expected } of commands) {
    const env = { ...process.env, SESSION: session };
    const { stdout } = await run("bash", ["-c", command.replaceAll("localhost:3000", `localhost:${port}`)], { env });
    session ||= /^mcp-session-id: (\S+)/im.exec(stdout)?.[1] ?? "";
    for (const line of expected) assert.match(stdout, patternOf(line), command);
    if (expected.length === 0) assert.equal(stdout, "");
  }
});

function patternOf(line: string): RegExp {
  const id = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/.test(line);
  const text = id ? line.replace(/\S+$/, "…") : line;
  return new RegExp(text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&").replaceAll("…", ".*"), "i");
}
