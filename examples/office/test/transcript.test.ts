import assert from "node:assert/strict";
import { test } from "node:test";
import { Transcript } from "../transcript.ts";

function printed(options: { colour: boolean; width: number }, say: (transcript: Transcript) => void): string[] {
  const lines: string[] = [];
  let now = 0;
  say(new Transcript((line) => lines.push(line), { ...options, now: () => (now += 1.25) }));
  return lines;
}

const call = (transcript: Transcript): void => {
  transcript.message("out", {
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: "add", arguments: { a: 1, b: 2 } },
  });
  transcript.message("in", { jsonrpc: "2.0", id: 7, result: { content: [{ type: "text", text: "3" }] } });
  transcript.message("out", { jsonrpc: "2.0", id: 8, method: "shop/close", params: { at: { hour: 6 } } });
  transcript.message("in", { jsonrpc: "2.0", id: 8, error: { code: -32601, message: "Method not found" } });
};

test("columns stay in line; a response stands under the method that it answers", () => {
  assert.deepEqual(printed({ colour: false, width: 100 }, call), [
    "       ms     id         method                    content",
    "      1.3  →  7          tools/call                add(1, 2)",
    "      2.5  ←  7          tools/call                3",
    "      3.8  →  8          shop/close                at hour 6",
    "      5.0  ←  8          shop/close                ✗ Method not found (-32601)",
  ]);
});

test("no line is longer than the terminal is wide", () => {
  for (const width of [60, 65, 80])
    for (const line of printed({ colour: false, width }, call).slice(1)) assert.ok(line.length <= width, line);
});

test("colour adds nothing but colour", () => {
  const coloured = printed({ colour: true, width: 100 }, call);
  assert.ok(coloured.every((line) => line.includes("\u001b[")));
  // oxlint-disable-next-line no-control-regex -- the colours are control characters
  const plain = coloured.map((line) => line.replaceAll(/\u001b\[\d+m/g, ""));
  assert.deepEqual(plain, printed({ colour: false, width: 100 }, call));
});
