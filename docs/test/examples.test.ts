// Every example of a README or a docs page, type-checked and run: CONTRIBUTING.md says how a page marks them.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { filesUnder, foldersIn } from "../../scripts/files.ts";
import { run } from "../../scripts/run.ts";
import { bundle, programOf } from "./bundle.ts";
import { type Example, examplesOf } from "./page.ts";

const packages = [...foldersIn("packages"), ...foldersIn("examples")].map((folder) => join(folder, "README.md"));
const pages = ["README.md", ...packages, ...filesUnder("docs")].filter((page) => page.endsWith(".md"));

// Inside docs, so that imports resolve; one for each run of the tests, so that two don't meet.
mkdirSync("docs/.tmp", { recursive: true });
const folder = mkdtempSync("docs/.tmp/");
after(() => rmSync(folder, { recursive: true }));

// `node shop.ts`, on an example's PATH, runs the bundled shop.js.
const bin = join(process.cwd(), folder, "bin");
const shim = `#!/bin/sh\nfile=$1; shift; exec "${process.execPath}" --enable-source-maps "\${file%.ts}.js" "$@"\n`;
write(join(bin, "node"), shim, 0o755);

// Whatever opens a page has somebody log in there.
write(join(bin, "person.mjs"), programOf("docs/test/person.ts"));
for (const opener of ["xdg-open", "open"])
  write(join(bin, opener), `#!/bin/sh\nexec "${process.execPath}" "${join(bin, "person.mjs")}" "$1"\n`, 0o755);

describe("examples", { concurrency: 2 }, () => {
  for (const page of pages) {
    const place = join(folder, page);
    const examples = readable(page);
    for (const { name, text } of examples) write(join(place, name), text);
    let bundled: Promise<void> | undefined;
    for (const example of examples.filter((each) => each.run))
      test(`${page}: ${example.name}`, async () => {
        await (bundled ??= bundle(place, examples));
        await runs(example, place);
      });
  }

  test("type-check", async () => {
    const tsconfig = {
      extends: "../../../tsconfig.check.json",
      compilerOptions: { incremental: false },
      include: ["."],
    };
    write(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
    const { output } = await run("npx", ["tsc", "-p", folder, "--pretty", "false"]);
    // An error in a package's source is for that package's own check to report.
    const errors = output.split("\n").filter((line) => line.includes("error") && !line.startsWith("packages/"));
    assert.deepEqual(errors, []);
  });
});

async function runs({ name, output }: Example, cwd: string): Promise<void> {
  const env = { PATH: bin + delimiter + process.env["PATH"], HOME: cwd, USERPROFILE: cwd, NODE_OPTIONS: "" };
  const outcome = await run(join(bin, "node"), [name], { cwd, env, timeout: 60_000 });
  assert.ok(outcome.ok, outcome.output);
  if (output === undefined || fits(outcome.stdout.trimEnd(), output.trimEnd())) return;
  assert.equal(outcome.stdout.trimEnd(), output.trimEnd());
}

function fits(actual: string, expected: string): boolean {
  const pattern = expected.split("…").map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
  return new RegExp(`^${pattern.join("[^\\n]*")}$`).test(actual);
}

function write(file: string, text: string, mode?: number): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

/** The examples of a page; none of one that breaks the rules, which is a failed test of its own. */
function readable(page: string): readonly Example[] {
  try {
    return examplesOf(readFileSync(page, "utf8"), page);
  } catch (error) {
    // Not every package has a README from its first day on.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      test(page, () => {
        throw error;
      });
    return [];
  }
}
