// `bundle.ts [package folder…]`, this one by default: makes of each entry in a package's exports one file, and one of each
// part that entries share or that is loaded later. Node loads these, since a process that loads a hundred small files
// instead starts 20 ms later; bundlers for browsers take what tsc makes, and leave out what they don't need.
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

interface Manifest {
  readonly exports: { readonly [entry: string]: { readonly "@x/source": string } };
}

const given = process.argv.slice(2);
for (const folder of given.length > 0 ? given : ["."]) {
  rmSync(join(folder, "bundle"), { recursive: true, force: true });
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  await build({
    absWorkingDir: resolve(folder),
    entryPoints: Object.values(exports).map((entry) => entry["@x/source"]),
    outbase: "src",
    outdir: "bundle",
    chunkNames: "parts/[name]-[hash]",
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "es2023",
    sourcemap: true,
    sourcesContent: false,
    logLevel: "warning",
  });
}
