import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import type { TestContext } from "node:test";

/** Options of a test that drives a program from outside: it is skipped where that is missing, unless it has to be there. */
export function needing(program: string): { readonly skip: string | false } {
  const required = process.env["REQUIRE_PROGRAMS"] === "1";
  const there = spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
  return { skip: required || there ? false : `${program} is not installed` };
}

/** Runs a program until the test ends. */
export function running(t: TestContext, program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { stdio: "ignore" });
  t.after(
    () =>
      new Promise<void>((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.on("exit", () => resolve());
        child.kill("SIGTERM");
        setTimeout(() => child.kill("SIGKILL"), 3000).unref();
      }),
  );
  return child;
}
