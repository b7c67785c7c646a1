import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { type Command, command } from "@x/transport-stdio";

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Starts programs/old-server.mjs whenever it is called. */
export interface OldServer {
  (): Command;
  /** How often it was started. */
  readonly starts: () => number;
}

export function oldServer(behaviour: string | number, ms = 0): OldServer {
  const folder = mkdtempSync(join(tmpdir(), "old-server-"));
  after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "starts");
  const args = [pathOf("programs/old-server.mjs"), String(behaviour), file, String(ms)];
  return Object.assign(() => command(process.execPath, args), {
    starts: () => readFileSync(file, "utf8").split("\n").length - 1,
  });
}

/** Starts a TypeScript program of this folder. */
export const program = (file: string): Command => command(process.execPath, [...process.execArgv, pathOf(file)]);

/** Starts a line of JavaScript. */
export const script = (code: string): Command => command(process.execPath, ["-e", code]);
