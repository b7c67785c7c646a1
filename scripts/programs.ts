import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** Options of a test that drives a program from outside: it is skipped where that is missing, unless it has to be there. */
export function needing(program: string): { readonly skip: string | false } {
  const required = process.env["REQUIRE_PROGRAMS"] === "1";
  const there = spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
  return { skip: required || there ? false : `${program} is not installed` };
}

/** Runs a program until the test ends. */
export function running(
  t: TestContext,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  const child = spawn(program, args, { stdio: "ignore", env: { ...process.env, ...env } });
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

/** Opens a page in headless Chromium, with a profile of its own, until the test ends. */
export function showing(t: TestContext, url: string): void {
  const profile = mkdtempSync(join(tmpdir(), "chromium-"));
  const quiet = "quic background-networking component-update sync gpu".split(" ").map((name) => `--disable-${name}`);
  const args = ["--headless", "--no-sandbox", "--no-first-run", ...quiet, `--user-data-dir=${profile}`, url];
  running(t, "chromium", args, { TMPDIR: profile });
  // Hooks run in the order in which they were added: the browser has ended by then, its helpers almost.
  t.after(() => rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
}
