// Whoever meets a name finds it in a page: tables list all that the packages export, and where.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { foldersIn } from "../../scripts/files.ts";

/** A page with a table, and the entries of a package that its columns are of. */
const tables = [
  ["docs/jsonrpc/names.md", "packages/jsonrpc", [".", "./middleware", "./framing", "./testing"]],
  ["docs/stdio.md", "packages/transport-stdio", ["."]],
  ["docs/http.md", "packages/transport-http", [".", "./node"]],
  // `./http` is for authors of transports, as the page says.
  ["docs/mcp/names.md", "packages/mcp", ["./server", "./client", "."]],
  ["docs/auth.md", "packages/mcp-auth", [".", "./node", "./server"]],
] as const;
const untold = ["packages/mcp ./http"];

const isRow = (line: string): boolean => line.startsWith("| [");

/** The rows of a page's table: pages, and the names of each entry that they explain. */
const rowsOf = (page: string) =>
  readFileSync(page, "utf8")
    .split("\n")
    .filter(isRow)
    .map((line) => line.split("|").slice(1, -1))
    .map(([pages = "", ...cells]) => ({
      // A link within the page has no file.
      pages: [...pages.matchAll(/\(([\w/-]+\.md)?(?:#[^)]*)?\)/g)].map(([, to]) =>
        to === undefined ? page : join(dirname(page), to),
      ),
      names: cells.map((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? "")),
    }));

/** What a page shows as code, its table of names left out. */
function codeOf(page: string): string {
  const text = readFileSync(page, "utf8").split("\n");
  const table = tables.some(([each]) => each === page);
  const [code, prose] = [[] as string[], [] as string[]];
  let fenced = false;
  for (const line of text) {
    if (line.startsWith("```")) fenced = !fenced;
    else if (!table || !isRow(line)) (fenced ? code : prose).push(line);
  }
  return [...code, ...[...prose.join("\n").matchAll(/`([^`]+)`/g)].map(([, inline]) => inline)].join("\n");
}

/** The entries of a package, and the file in which each is written. */
const entriesOf = (folder: string): Map<string, string> => {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    exports: { [entry: string]: { "@x/source": string } };
  };
  return new Map(Object.entries(exports).map(([entry, { "@x/source": source }]) => [entry, join(folder, source)]));
};

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

test("each entry of each package has a table", () => {
  const all = foldersIn("packages").flatMap((folder) =>
    [...entriesOf(folder).keys()].map((entry) => `${folder} ${entry}`),
  );
  const told = tables.flatMap(([, folder, entries]) => entries.map((entry) => `${folder} ${entry}`));
  assert.deepEqual([...told, ...untold].toSorted(), all.toSorted());
});

for (const [table, folder, entries] of tables) {
  for (const [index, entry] of entries.entries())
    test(`${table} has what ${folder} exports at ${entry}, and nothing else`, () => {
      const exported = exportsOf(entriesOf(folder).get(entry)!);
      assert.ok(exported.length > 0);
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
      const code = pages.map(codeOf).join("\n");
      const missing = names.flat().filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
      assert.deepEqual(missing, [], pages.join(", "));
    }
  });
}
