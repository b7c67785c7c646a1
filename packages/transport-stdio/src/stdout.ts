import type { NodeWritable } from "./node-streams.ts";

type Write = typeof process.stdout.write;

let taken = false;

/**
 * This process's stdout for messages alone: until it is ended or destroyed, whatever else writes to `process.stdout`
 * (console.log does) goes to stderr, unless `guard` is false. Ending it only flushes: the descriptor stays open as long as
 * the process.
 */
export function takeStdout(guard: boolean): NodeWritable {
  if (taken) throw new Error("This process's stdin and stdout already carry a connection");
  taken = true;
  const stdout: { write: Write } & NodeJS.WriteStream = process.stdout;
  const before = stdout.write;
  const write: Write = before.bind(stdout);
  const toStderr: Write = (...args: unknown[]) => process.stderr.write(...(args as Parameters<Write>));
  if (guard) stdout.write = toStderr;
  const release = (): void => {
    taken = false;
    if (stdout.write === toStderr) stdout.write = before;
  };
  return {
    on: (event, listener) => stdout.on(event, listener),
    write,
    end: (ended) =>
      write("", () => {
        release();
        ended?.();
      }),
    destroy() {
      release();
      stdout.destroy();
    },
    writable: stdout.writable,
  };
}
