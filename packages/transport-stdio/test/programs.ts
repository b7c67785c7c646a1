import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "programs-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
const built = new Map<string, string>();

/** The command line of test/programs/NAME.ts. Bundled, since it starts four times as fast as through tsx. */
export function program(name: string, ...args: string[]): [command: string, args: string[]] {
  let file = built.get(name);
  if (file === undefined) {
    file = join(folder, `${name}.mjs`);
    built.set(name, file);
    buildSync({
      entryPoints: [fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url))],
      outfile: file,
      bundle: true,
      platform: "node",
      format: "esm",
      conditions: ["@x/source"],
      external: ["cross-spawn"],
    });
  }
  return [process.execPath, [file, ...args]];
}

/** A program with a script of its own for `node -e`. */
export const script = (code: string): [command: string, args: string[]] => [process.execPath, ["-e", code]];

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** How long it ran after its input had ended, in ms. */
  readonly ms: number;
}

export type Running = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts a program with three pipes and collects what it writes. */
export function start([command, args]: [string, string[]]): { child: Running; ended: Promise<Ended> } {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  return { child, ended: endOf(child) };
}

/** Gives a program its whole input at once and waits for its end. */
export async function feed(command: [string, string[]], input: string | Uint8Array): Promise<Ended> {
  const { child, ended } = start(command);
  child.stdin.end(input);
  return ended;
}

async function endOf(child: Running): Promise<Ended> {
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  for (const name of ["stdout", "stderr"] as const) child[name].on("data", (chunk: Buffer) => chunks[name].push(chunk));
  child.stdin.on("error", () => {});
  let inputEnded = performance.now();
  child.stdin.on("finish", () => (inputEnded = performance.now()));
  return new Promise((resolve) => {
    child.on("close", (code, signal) =>
      resolve({
        code,
        signal,
        stdout: Buffer.concat(chunks.stdout).toString(),
        stderr: Buffer.concat(chunks.stderr).toString(),
        ms: performance.now() - inputEnded,
      }),
    );
  });
}

/** A line for a newline-delimited wire. */
export const line = (message: object): string => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;

/** The messages in newline-delimited output. */
export const messages = (output: string): unknown[] =>
  output
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as unknown);

/** Whether a process runs. One that has ended may be listed for a while, until init has taken note of it. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** Waits until something holds; throws when it doesn't within `ms`. */
export async function until(holds: () => boolean, what: string, ms = 5000): Promise<void> {
  const late = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > late) throw new Error(`Not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
