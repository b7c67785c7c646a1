import type { ProcessTree } from "./process-tree.ts";

const live = new Set<ProcessTree>();
const signals: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
/** ms between SIGTERM and SIGKILL when this process exits. */
const GRACE = 100;

/**
 * While there are such, they end with this process, be it by `process.exit`, an uncaught error, or a signal that nobody
 * else listens to. Their group is not the terminal's, so that Ctrl-C reaches them only from here.
 */
export function endWithProcess(tree: ProcessTree): void {
  if (live.size === 0) listen();
  live.add(tree);
}

/** It is gone, or somebody else's from now on. */
export function forget(tree: ProcessTree): void {
  live.delete(tree);
  if (live.size > 0) return;
  process.off("exit", endAll);
  for (const signal of signals) process.off(signal, onSignal);
}

function listen(): void {
  process.on("exit", endAll);
  for (const signal of signals) process.prependListener(signal, onSignal);
}

/** Also those that ignore SIGTERM: nobody is left who could see to them later. */
function endAll(): void {
  if (live.size === 0) return;
  for (const tree of live) tree.endAtExit("SIGTERM");
  const until = performance.now() + GRACE;
  while (performance.now() < until && [...live].some((tree) => tree.alive)) sleep(10);
  for (const tree of live) tree.endAtExit("SIGKILL");
}

/** Without the event loop, which has stopped. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * A listener of ours must not change what a signal does. If there are others it is their matter; they may count the
 * listeners to find out whether they are alone, hence first of all and not there while they run.
 */
function onSignal(signal: NodeJS.Signals): void {
  process.off(signal, onSignal);
  if (process.listenerCount(signal) > 0) {
    process.nextTick(() => {
      if (live.size > 0) process.prependListener(signal, onSignal);
    });
  } else {
    endAll();
    process.kill(process.pid, signal);
  }
}
