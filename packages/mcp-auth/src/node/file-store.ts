import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Store, Stored } from "../store.ts";
import { withFileLock } from "./file-lock.ts";

/**
 * Keeps each value in a file of its own that only its owner can read. Processes that share the folder share the tokens, and
 * refresh them once. `folder` may begin with "~/"; it is made when something is to be kept.
 */
export function fileStore(folder: string | URL): Store {
  const path = folder instanceof URL ? fileURLToPath(folder) : folder.replace(/^~(?=[/\\]|$)/, homedir());
  const fileOf = (key: string): string => join(path, `${nameOf(key)}.json`);
  return {
    get: (key) => read(fileOf(key)),
    async set(key, value) {
      if (value === undefined) return await rm(fileOf(key), { force: true });
      await mkdir(path, { recursive: true, mode: 0o700 });
      await write(fileOf(key), JSON.stringify(value));
    },
    async lock(key, work) {
      await mkdir(path, { recursive: true, mode: 0o700 });
      return await withFileLock(join(path, `${nameOf(key)}.lock`), work);
    },
  };
}

/** Readable, and different for keys that differ. */
function nameOf(key: string): string {
  const readable = key.replace(/[^\w.-]+/g, "_").slice(0, 60);
  return `${readable}-${createHash("sha256").update(key).digest("hex").slice(0, 16)}`;
}

async function read(file: string): Promise<Stored | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, "r");
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { mode } = await handle.stat();
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      throw new Error(`${file}: expected a file that only its owner can read, got mode ${(mode & 0o777).toString(8)}`);
    return parse(await handle.readFile("utf8"));
  } finally {
    await handle.close();
  }
}

/** What was cut off or changed by hand is as good as nothing. */
function parse(text: string): Stored | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Stored) : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all, also when the process ends meanwhile. */
async function write(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
