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

/**
 * Our packages as they are published, and the benchmark's own files as JavaScript: what runs from source under a
 * loader is neither what users run nor as fast (it gives each closure its name when it is made).
 */
export async function buildAll(folder: string): Promise<void> {
  const packages = ["jsonrpc", "mcp", "transport-stdio", "transport-http"].map((name) => `packages/${name}`);
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-b", ...packages], {
    cwd: join(folder, ".."),
    stdio: "inherit",
  });
  rmSync(join(folder, "dist"), { recursive: true, force: true });
  await build({
    absWorkingDir: folder,
    entryPoints: [
      "harness/child.ts",
      ...["rows", "programs"].flatMap((part) => entriesIn(folder, part).map((file) => `${part}/${file}`)),
    ],
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
