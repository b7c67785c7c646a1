import { setTimeout as sleep } from "node:timers/promises";
import type { Output } from "./output.ts";
import type { ShutdownOptions } from "./shutdown-options.ts";
import type { ProcessTree } from "./process-tree.ts";
import { within } from "./within.ts";

interface Stream {
  destroy(): unknown;
}

/** A program that runs. */
interface Running {
  readonly stdin: Stream;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly tree: ProcessTree;
  /** Resolves when it has ended. */
  readonly exited: Promise<unknown>;
}

/** ms after SIGKILL. Only a process that hangs in the kernel outlasts it. */
const KILL = 500;
/** ms between two looks at whether all processes of a group have ended, which no event tells: at first, and at last. */
const POLL = 5;
const MAX_POLL = 100;

/** Ends its input, then it and all that it has started: in order, else by SIGTERM, else by SIGKILL. Never rejects. */
export async function shutDown(child: Running, output: Output, options: ShutdownOptions = {}): Promise<void> {
  const { end = 2000, terminate = 2000 } = options;
  void output.end(end).then(
    () => child.stdin.destroy(),
    () => {},
  );
  if (!(await gone(child, end))) {
    child.tree.end("SIGTERM");
    if (!(await gone(child, terminate))) {
      child.tree.end("SIGKILL");
      await gone(child, KILL);
    }
  }
  // Processes that have left the group may hold the other ends.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}

async function gone({ exited, tree }: Running, ms: number): Promise<boolean> {
  const until = performance.now() + ms;
  if (!(await within(exited, ms))) return false;
  for (let pause = POLL; tree.alive; pause = Math.min(2 * pause, MAX_POLL)) {
    if (performance.now() >= until) return false;
    await sleep(pause);
  }
  return true;
}
