// Whoever meets a name finds it in a page: docs/mcp/names.md lists all that the entries of @x/mcp export, and where.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const source = "packages/mcp/src";
const entries = [`${source}/server/index.ts`, `${source}/client/index.ts`, `${source}/index.ts`] as const;

/** A row of the table: pages, and the names of each entry that they explain. */
const rows = readFileSync("docs/mcp/names.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ["))
  .map((line) => line.split("|").slice(1, -1))
  .map(([pages = "", ...cells]) => ({
    pages: [...pages.matchAll(/\(([\w-]+\.md)\)/g)].map(([, page]) => page ?? ""),
    names: cells.map((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? "")),
  }));

/** What a file of exports alone exports: by name, or all types of another file. */
function exportsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const listed = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.replace(/^\s*type /, "").trim()),
  );
  const whole = [...text.matchAll(/export type \* from "(.*)"/g)].flatMap(([, from = ""]) =>
    [...readFileSync(join(dirname(file), from), "utf8").matchAll(/^export (?:interface|type) (\w+)/gm)].map(
      ([, name]) => name ?? "",
    ),
  );
  return [...listed.filter((name) => name !== ""), ...whole].toSorted();
}

for (const [index, entry] of entries.entries())
  test(`names.md has what ${entry} exports, and nothing else`, () => {
    const exported = exportsOf(entry);
    assert.ok(exported.length > 10);
    assert.deepEqual(rows.flatMap(({ names }) => names[index] ?? []).toSorted(), exported);
  });

test("each name is on the page that names.md says", () => {
  for (const { pages, names } of rows) {
    const text = pages.map((page) => readFileSync(join("docs/mcp", page), "utf8")).join("\n");
    const missing = names.flat().filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
    assert.deepEqual(missing, [], pages.join(", "));
  }
});
