// Before a build: removes from dist what earlier builds made of sources that are gone. tsc never does, and a stale
// file would satisfy an import and be published. `prune.ts [package folder…]`, all packages by default.
import { existsSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { filesUnder, foldersIn } from "./files.ts";

const given = process.argv.slice(2);
for (const folder of given.length > 0 ? given : foldersIn("packages")) {
  const dist = join(folder, "dist");
  for (const file of filesUnder(dist)) {
    const output = /^(.*)\.(?:d\.ts|js)(?:\.map)?$/.exec(relative(dist, file));
    if (output !== null && !existsSync(join(folder, "src", `${output[1]}.ts`))) rmSync(file);
  }
}
