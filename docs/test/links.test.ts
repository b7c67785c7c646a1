// Links between pages lead somewhere, and every page is in the index.
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { filesUnder, foldersIn } from "../../scripts/files.ts";

const readmes = [...foldersIn("packages"), ...foldersIn("examples"), "bench"].map((folder) =>
  join(folder, "README.md"),
);
const docs = filesUnder("docs").filter((file) => file.endsWith(".md"));
const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...readmes.filter((page) => existsSync(page)), ...docs];

/** A page without its fenced blocks. */
const proseOf = (page: string): string => readFileSync(page, "utf8").replaceAll(/^(`{3,})[^`]*\n[\s\S]*?^\1$/gm, "");

/** Where a page links to inside the repository: a path from its root, and perhaps a heading. */
const linksOf = (page: string): { readonly path: string; readonly anchor: string | undefined }[] =>
  [...proseOf(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, path = "", anchor]) => ({
    path: path === "" ? page : join(dirname(page), path),
    anchor,
  }));

/** What a heading is called in a link. */
const anchorsOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

test("links lead to files and headings that are there", () => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter(({ path, anchor }) => {
        if (!existsSync(path)) return true;
        return anchor !== undefined && statSync(path).isFile() && !anchorsOf(path).includes(anchor);
      })
      .map(({ path, anchor = "" }) => `${page}: ${path} ${anchor}`),
  );
  assert.deepEqual(broken, []);
});

test("docs/README.md links every page, and the README links it", () => {
  const linked = new Set(linksOf("docs/README.md").map(({ path }) => path));
  const missing = docs.filter((page) => page !== "docs/README.md" && !linked.has(page));
  assert.deepEqual(
    missing.map((page) => relative("docs", page)),
    [],
  );
  assert.ok(linksOf("README.md").some(({ path }) => path === "docs/README.md"));
});
