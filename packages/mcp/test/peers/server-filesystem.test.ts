// Our client visits @modelcontextprotocol/server-filesystem.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { connectTo } from "./published.ts";

const program = import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");

test("server-filesystem over stdio: it reads a real file, writes one, and keeps to its folder", async (t) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "filesystem-peer-")));
  t.after(() => rmSync(folder, { recursive: true }));
  const text = "Räume\nA301\nB105\n".repeat(10_000);
  writeFileSync(join(folder, "rooms.txt"), text);
  const client = await connectTo(t, program, folder);

  const names: string[] = [];
  for await (const { name } of client.tools()) names.push(name);
  assert.ok(names.includes("read_text_file") && names.includes("list_directory"), names.join(", "));

  const read = await client.callTool("read_text_file", { path: join(folder, "rooms.txt") });
  assert.deepEqual(read.content, [{ type: "text", text }]);
  assert.deepEqual(read.structuredContent, { content: text });
  const head = await client.callTool("read_text_file", { path: join(folder, "rooms.txt"), head: 2 });
  assert.deepEqual(head.content, [{ type: "text", text: "Räume\nA301" }]);

  await client.callTool("write_file", { path: join(folder, "new.txt"), content: "written" });
  assert.equal(readFileSync(join(folder, "new.txt"), "utf8"), "written");
  const listed = await client.callTool("list_directory", { path: folder });
  assert.deepEqual(listed.content, [{ type: "text", text: "[FILE] new.txt\n[FILE] rooms.txt" }]);

  const outside = await client.callTool("read_text_file", { path: join(folder, "..", "elsewhere.txt") });
  assert.equal(outside.isError, true);
  assert.match(JSON.stringify(outside.content), /outside allowed directories/);
});
