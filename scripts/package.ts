// Run in a package's folder, after its build: publint and "are the types wrong" on the tarball a user would get.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tarball } from "./pack/tarball.ts";
import { run } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "package-"));
try {
  const file = await tarball(".", folder);
  const checks = [
    ["publint", "run", file, "--strict"],
    ["attw", file, "--profile", "esm-only", "--no-emoji"],
  ] as const;
  for (const [program, ...args] of checks) {
    const { ok, output } = await run(program, args);
    if (ok) continue;
    console.error(output);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
