import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** The names of the rows, in the order of their files. */
export const rowNames = (folder: string): string[] =>
  entriesIn(folder, "rows").map((file) => file.replace(/\.ts$/, ""));

const entriesIn = (folder: string, part: string): string[] =>
  readdirSync(join(folder, part))
    .filter((file) => file.endsWith(".ts"))
    .sort();

/** Our packages as they are published: what runs from source under a loader is not what users run, and slower. */
export function buildPackages(folder: string): void {
  const packages = ["jsonrpc", "mcp", "transport-stdio", "transport-http"].map((name) => `packages/${name}`);
  // Declarations, for what is measured of the compiler, and JavaScript.
  for (const command of [
    ["node_modules/typescript/bin/tsc", "-b"],
    ["--import", "tsx", "scripts/bundle.ts"],
  ])
    execFileSync(process.execPath, [...command, ...packages], { cwd: join(folder, ".."), stdio: "inherit" });
}

/** The benchmark's own files as JavaScript, in its dist folder. */
export async function buildBench(folder: string): Promise<void> {
  rmSync(join(folder, "dist"), { recursive: true, force: true });
  const entries = ["rows", "programs"].flatMap((part) => entriesIn(folder, part).map((file) => `${part}/${file}`));
  await build({
    absWorkingDir: folder,
    entryPoints: ["harness/child.ts", ...entries],
    outbase: ".",
    outdir: "dist",
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
  });
}
