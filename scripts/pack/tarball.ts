import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { mustRun } from "../run.ts";

/**
 * Packs a built package as a release would (workspace versions filled in, the development condition gone) into an
 * empty folder, and gives the tarball's path.
 */
export async function tarball(packageFolder: string, into: string): Promise<string> {
  mkdirSync(into, { recursive: true });
  await mustRun("pnpm", ["pack", "--pack-destination", into], { cwd: packageFolder });
  const [file, ...others] = readdirSync(into).filter((name) => name.endsWith(".tgz"));
  if (file === undefined || others.length > 0) throw new Error(`Expected one tarball in ${into}`);
  return join(into, file);
}
