import assert from "node:assert/strict";
import { test } from "node:test";
import { examplesOf } from "./page.ts";

const page = (...lines: string[]): string => lines.join("\n");

test("a file stands on the lines of its page", () => {
  const text = page(
    "# Shop",
    "",
    "```ts file=shop.ts",
    "const a = 1;",
    "```",
    "more",
    "```ts file=shop.ts run",
    "a;",
    "```",
  );
  assert.deepEqual(examplesOf(text, "shop.md"), [
    { name: "shop.ts", text: "\n\n\nconst a = 1;\n\n\n\na;\n", run: true, output: undefined },
  ]);
});

test("the next block, if it is text, is what a run prints", () => {
  const text = page("```ts file=a.ts run", "a;", "```", "It prints", "```text", "1", "2", "```", "```text", "3", "```");
  assert.equal(examplesOf(text, "a.md")[0]?.output, "1\n2");
  const apart = page("```ts file=a.ts run", "a;", "```", "```sh", "node a.ts", "```", "```text", "1", "```");
  assert.equal(examplesOf(apart, "a.md")[0]?.output, undefined);
});

test("a longer fence holds shorter ones", () => {
  const text = page("````md file=page.md", "```ts", "a;", "```", "````");
  assert.equal(examplesOf(text, "a.md")[0]?.text, "\n```ts\na;\n```\n");
});

test("a block of TypeScript without a name is refused, other languages are not", () => {
  assert.deepEqual(examplesOf(page("```sh", "pnpm test", "```"), "a.md"), []);
  assert.throws(() => examplesOf(page("```ts", "a;", "```"), "a.md"), /^Error: a\.md:1: expected ```ts file=NAME/);
});
