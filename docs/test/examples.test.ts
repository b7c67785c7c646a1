// Every example of a README or a docs page, type-checked and run: CONTRIBUTING.md says how a page marks them.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { filesUnder, foldersIn } from "../../scripts/files.ts";
import { run } from "../../scripts/run.ts";
import { type Example, examplesOf } from "./page.ts";

const packages = [...foldersIn("packages"), ...foldersIn("examples")].map((folder) => join(folder, "README.md"));
const pages = ["README.md", ...packages, ...filesUnder("docs")].filter((page) => page.endsWith(".md"));

// Inside docs, so that imports resolve; one for each run of the tests, so that two don't meet.
mkdirSync("docs/.tmp", { recursive: true });
const folder = mkdtempSync("docs/.tmp/");
after(() => rmSync(folder, { recursive: true }));

const found = pages.flatMap((page) => examplesOf(textOf(page), page).map((example) => ({ ...example, page })));
for (const { page, name, text } of found) {
  const file = join(folder, page, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const flags = ["--conditions=@x/source", `--import=${import.meta.resolve("tsx")}`];

// Examples start programs with plain "node", which has to find the sources too.
const bin = join(process.cwd(), folder, "bin");
mkdirSync(bin);
writeFileSync(join(bin, "node"), `#!/bin/sh\nexec "${process.execPath}" ${flags.join(" ")} "$@"\n`, { mode: 0o755 });

describe("examples", { concurrency: 2 }, () => {
  test("type-check", async () => {
    const tsconfig = {
      extends: "../../../tsconfig.check.json",
      compilerOptions: { incremental: false },
      include: ["."],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
    const { output } = await run("npx", ["tsc", "-p", folder, "--pretty", "false"]);
    // An error in a package's source is for that package's own check to report.
    const errors = output.split("\n").filter((line) => line.includes("error") && !line.startsWith("packages/"));
    assert.deepEqual(errors, []);
  });

  for (const example of found.filter((each) => each.run))
    test(`${example.page}: ${example.name}`, () => runs(example, join(folder, example.page)));
});

async function runs({ name, output }: Example, cwd: string): Promise<void> {
  const env = { PATH: bin + delimiter + process.env["PATH"], NODE_OPTIONS: "" };
  const outcome = await run(process.execPath, [...flags, name], { cwd, env, timeout: 60_000 });
  assert.ok(outcome.ok, outcome.output);
  if (output === undefined || fits(outcome.stdout.trimEnd(), output.trimEnd())) return;
  assert.equal(outcome.stdout.trimEnd(), output.trimEnd());
}

function fits(actual: string, expected: string): boolean {
  const pattern = expected.split("…").map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
  return new RegExp(`^${pattern.join("[^\\n]*")}$`).test(actual);
}

function textOf(page: string): string {
  try {
    return readFileSync(page, "utf8");
  } catch (error) {
    // Not every package has a README from its first day on.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
