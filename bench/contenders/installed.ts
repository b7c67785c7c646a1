import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Contender, Figure, Sample } from "../harness/row.ts";

export const size: Figure = { name: "size", unit: "bytes", better: "less" };
export const packages: Figure = { name: "packages", unit: "packages", better: "less" };

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly files?: readonly string[];
  readonly publishConfig?: object;
  readonly dependencies?: { readonly [name: string]: string };
  readonly peerDependencies?: { readonly [name: string]: string };
  readonly peerDependenciesMeta?: { readonly [name: string]: { readonly optional?: boolean } };
}

/** A contender whose figures are what `npm install` of some packages puts on the disk. */
export const installed = (name: string, kind: Contender["kind"], ...names: readonly string[]): Contender => ({
  name,
  kind,
  measure: async () => measure(names),
});

function measure(names: readonly string[]): Sample {
  const folders = new Set(names.map((name) => folderOf(name, ".")));
  let bytes = 0;
  for (const folder of folders) {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    bytes += publishedBytes(folder, manifest);
    for (const name of requiredBy(manifest)) folders.add(folderOf(name, folder));
  }
  return { [size.name]: bytes, [packages.name]: folders.size };
}

function requiredBy({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: Manifest): string[] {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys(dependencies), ...peers];
}

/** Where Node would find a package from a folder. */
function folderOf(name: string, from: string): string {
  for (let folder = realpathSync(from); ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(found)) return realpathSync(found);
    if (folder === dirname(folder)) throw new Error(`"${name}" is not installed beside ${from}`);
  }
}

/** Ours lie here with their sources and tests: of them counts what would be published. */
function publishedBytes(folder: string, { name, files = [] }: Manifest): number {
  if (!name.startsWith("@x/")) return bytesIn(folder);
  const parts = [...files.filter((part) => !part.startsWith("!")), "package.json", "README.md", "LICENSE"];
  return parts.reduce((sum, part) => sum + bytesIn(join(folder, part)), 0);
}

function bytesIn(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.size ?? 0;
  return readdirSync(path)
    .filter((entry) => entry !== "node_modules" && !entry.startsWith(".tsbuildinfo"))
    .reduce((sum, entry) => sum + bytesIn(join(path, entry)), 0);
}
