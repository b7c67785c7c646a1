import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { type Exit, ServerNotStarted } from "./command-errors.ts";
import { commandLine } from "./command-line.ts";
import { ProcessTree } from "./process-tree.ts";
import { type Surroundings, startFailure } from "./start-failure.ts";

/** A started program. */
export interface Child {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly tree: ProcessTree;
  /** Resolves when it has ended; what it wrote last may still be on its way. */
  readonly exited: Promise<Exit>;
  /** Resolves when it has ended and everything that it wrote has been read. Never, while others hold its pipes. */
  readonly closed: Promise<unknown>;
}

/**
 * Starts a program with three pipes, in a process group of its own where there are such. Rejects with a
 * ServerNotStarted. On Windows `cross-spawn` finds `.cmd` files and quotes for them; elsewhere it would only cost time.
 */
export async function start(command: string, args: readonly string[], options: Surroundings): Promise<Child> {
  const isWindows = process.platform === "win32";
  const launch = isWindows ? (await import("cross-spawn")).default : spawn;
  try {
    const child = launch(command, [...args], {
      ...options,
      stdio: ["pipe", "pipe", "pipe"],
      detached: !isWindows,
      windowsHide: true,
    }) as ChildProcessByStdio<Writable, Readable, Readable>;
    return await started(child);
  } catch (cause) {
    throw new ServerNotStarted(commandLine(command, args), startFailure(command, options, cause), cause);
  }
}

function started(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<Child> {
  const { stdin, stdout, stderr } = child;
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => {
      tree?.rootExited();
      resolve({ code, signal });
    });
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  const tree = child.pid === undefined ? undefined : new ProcessTree(child.pid);
  return new Promise((resolve, reject) => {
    child.once("spawn", () => {
      if (tree && child.pid !== undefined) resolve({ pid: child.pid, stdin, stdout, stderr, tree, exited, closed });
    });
    // For good: without a listener an error later on would end this process.
    child.on("error", reject);
  });
}
