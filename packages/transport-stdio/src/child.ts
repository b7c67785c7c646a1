import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type Exit, ServerNotStarted } from "./command-errors.ts";
import { commandLine } from "./command-line.ts";
import { type EnvironmentVariables, environment } from "./environment.ts";
import { endWithProcess, forget } from "./orphans.ts";
import type { Input } from "./input.ts";
import { Lines } from "./lines.ts";
import type { Output } from "./output.ts";
import { ProcessTree } from "./process-tree.ts";
import { shutDown } from "./shutdown.ts";
import type { ShutdownOptions } from "./shutdown-options.ts";
import { startFailure } from "./start-failure.ts";
import { within } from "./within.ts";

/**
 * ms that pass without a word before it is taken that nothing more will come of what has ended, while others hold its
 * pipes; and so many times at most.
 */
const LAST_WORDS = 200;
const ROUNDS = 25;

/** A started program. */
export interface Child {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when it has ended; what it wrote last may still be on its way. */
  readonly exited: Promise<Exit>;
  /** Resolves when it has ended and what it wrote has been read, or when it is silent, since others may hold its pipes. */
  silent(input: Input, inputEnded: Promise<void>): Promise<void>;
  /** Ends its input, which `output` writes, then it and all that it has started. Never rejects. */
  end(output: Output, options: ShutdownOptions | undefined): Promise<void>;
}

/** Where a program runs, and what it sees of this process. */
export interface StartOptions {
  readonly env?: EnvironmentVariables | undefined;
  readonly cwd?: string | URL | undefined;
  /** Gets the lines that it writes to stderr. */
  readonly heard: (line: string) => void;
}

/**
 * Starts a program with three pipes, in a process group of its own where there are such. Rejects with a
 * ServerNotStarted. On Windows `cross-spawn` finds `.cmd` files and quotes for them; elsewhere it would only cost time.
 */
export async function start(
  command: string,
  args: readonly string[],
  { env, cwd, heard }: StartOptions,
): Promise<Child> {
  const options = { env: environment(env), cwd: cwd instanceof URL ? fileURLToPath(cwd) : cwd };
  const isWindows = process.platform === "win32";
  const launch = isWindows ? (await import("cross-spawn")).default : spawn;
  try {
    const child = launch(command, [...args], {
      ...options,
      stdio: ["pipe", "pipe", "pipe"],
      detached: !isWindows,
      windowsHide: true,
    }) as ChildProcessByStdio<Writable, Readable, Readable>;
    return await started(child, heard);
  } catch (cause) {
    throw new ServerNotStarted(commandLine(command, args), startFailure(command, options, cause), cause);
  }
}

function started(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  heard: (line: string) => void,
): Promise<Child> {
  const { stdin, stdout, stderr } = child;
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => {
      tree?.rootExited();
      resolve({ code, signal });
    });
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  const silent = (input: Input, inputEnded: Promise<void>): Promise<void> =>
    silence(Promise.all([closed, inputEnded]), input);
  const tree = child.pid === undefined ? undefined : new ProcessTree(child.pid);
  return new Promise((resolve, reject) => {
    child.once("spawn", () => {
      if (!tree || child.pid === undefined) return;
      endWithProcess(tree);
      hear(stderr, heard);
      const running = { pid: child.pid, stdin, stdout, stderr, tree, exited };
      const end = async (output: Output, options: ShutdownOptions | undefined): Promise<void> => {
        await shutDown(running, output, options);
        forget(tree);
      };
      resolve({ ...running, silent, end });
    });
    // For good: without a listener an error later on would end this process.
    child.on("error", reject);
  });
}

function hear(stderr: Readable, heard: (line: string) => void): void {
  const lines = new Lines(heard);
  stderr.on("data", (chunk: Uint8Array) => lines.push(chunk));
  stderr.on("end", () => lines.end());
  stderr.on("error", () => {});
}

async function silence(all: Promise<unknown>, input: Input): Promise<void> {
  for (let round = 0; round < ROUNDS && !(await within(all, LAST_WORDS)) && input.moved; round++) input.moved = false;
}
