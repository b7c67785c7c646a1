// Packs every package, installs each alone into an empty project, type-checks a user's program and runs it.
// Needs a build. `pnpm check:pack [folder…]` takes only some of the packages.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { foldersIn } from "./files.ts";
import { consume } from "./pack/consume.ts";
import { consumers } from "./pack/consumers.ts";
import { tarball } from "./pack/tarball.ts";

const wanted = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), "pack-"));
try {
  const tarballs: Record<string, string> = {};
  for (const folder of foldersIn("packages")) {
    const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    tarballs[name] = await tarball(folder, join(root, "tarballs", name));
    if (!consumers.some((consumer) => `@x/${consumer.folder}` === name))
      fail(name, "no row in scripts/pack/consumers.ts");
  }
  for (const consumer of consumers) {
    if (wanted.length > 0 && !wanted.includes(consumer.folder)) continue;
    try {
      await consume(consumer, tarballs, join(root, consumer.folder));
      console.log(`ok   @x/${consumer.folder}`);
    } catch (error) {
      fail(`@x/${consumer.folder}`, String(error));
    }
  }
} finally {
  rmSync(root, { recursive: true });
}

function fail(name: string, reason: string): void {
  console.log(`FAIL ${name}: ${reason}`);
  process.exitCode = 1;
}
