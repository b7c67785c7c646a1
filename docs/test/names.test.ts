// Whoever meets a name finds it in a page: tables list all that the entries of @x/mcp and @x/mcp-auth export, and where.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

/** A page with a table, and the entries that its columns are of. */
const tables = [
  ["docs/mcp/names.md", "packages/mcp/src", ["server/index.ts", "client/index.ts", "index.ts"]],
  ["docs/auth.md", "packages/mcp-auth/src", ["index.ts", "node/index.ts", "server/index.ts"]],
] as const;

/** The rows of a page's table: pages, and the names of each entry that they explain. */
const rowsOf = (page: string) =>
  readFileSync(page, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ["))
    .map((line) => line.split("|").slice(1, -1))
    .map(([pages = "", ...cells]) => ({
      pages: [...pages.matchAll(/\(([\w/-]+\.md)[^)]*\)/g)].map(([, to]) => join(dirname(page), to ?? "")),
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

for (const [table, source, entries] of tables) {
  for (const [index, entry] of entries.entries())
    test(`${table} has what ${source}/${entry} exports, and nothing else`, () => {
      const exported = exportsOf(join(source, entry));
      assert.ok(exported.length > 3);
      assert.deepEqual(
        rowsOf(table)
          .flatMap(({ names }) => names[index] ?? [])
          .toSorted(),
        exported,
      );
    });

  test(`each name is on the page that ${table} says`, () => {
    for (const { pages, names } of rowsOf(table)) {
      assert.ok(pages.length > 0);
      const text = pages.map((page) => readFileSync(page, "utf8")).join("\n");
      const missing = names.flat().filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
      assert.deepEqual(missing, [], pages.join(", "));
    }
  });
}
