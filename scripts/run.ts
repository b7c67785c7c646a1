import { spawn } from "node:child_process";

export interface Outcome {
  readonly ok: boolean;
  /** stdout and stderr as they came, interleaved. */
  readonly output: string;
  readonly stdout: string;
}

/** Runs a program to its end, at most `timeout` ms. Never rejects: what went wrong is in the outcome. */
export function run(
  command: string,
  args: readonly string[],
  { cwd = ".", env = {}, timeout = 300_000 }: { cwd?: string; env?: NodeJS.ProcessEnv; timeout?: number } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    let output = "";
    let stdout = "";
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.stdout.on("data", (text: string) => {
      stdout += text;
    });
    child.on("error", (error) => resolve({ ok: false, output: `${output}${error.message}\n`, stdout }));
    child.on("close", (code, signal) => {
      if (signal !== null) output += `ended by ${signal}, after ${timeout} ms at most\n`;
      resolve({ ok: code === 0, output, stdout });
    });
  });
}

/** Like `run`, for steps without which nothing after them makes sense: a failure throws what was printed. */
export async function mustRun(...parameters: Parameters<typeof run>): Promise<string> {
  const { ok, output } = await run(...parameters);
  if (!ok) throw new Error(`${parameters[0]} ${parameters[1].join(" ")} failed:\n${output}`);
  return output;
}
