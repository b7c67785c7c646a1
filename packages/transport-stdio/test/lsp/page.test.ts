import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

test("the page on LSP shows the profile that the language servers are tested with", () => {
  const page = textOf("../../../../docs/jsonrpc/lsp.md");
  const [, shown] = /```ts file=lsp\.ts\n(.*?)```/s.exec(page) ?? [];
  assert.equal(shown, textOf("lsp.ts"));
});
