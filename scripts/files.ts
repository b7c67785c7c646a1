import { readdirSync } from "node:fs";
import { join } from "node:path";

const skipped = new Set(["node_modules", "dist", "coverage"]);

/** Every file under a folder, as sorted paths that start with the folder; none where the folder is missing. */
export function filesUnder(folder: string): string[] {
  const files: string[] = [];
  for (const entry of readEntries(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!skipped.has(entry.name) && !entry.name.startsWith(".")) files.push(...filesUnder(path));
    } else files.push(path);
  }
  return files.sort();
}

/** The folders directly inside a folder. */
export function foldersIn(folder: string): string[] {
  return readEntries(folder)
    .filter((entry) => entry.isDirectory() && !skipped.has(entry.name))
    .map((entry) => join(folder, entry.name))
    .sort();
}

function readEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
