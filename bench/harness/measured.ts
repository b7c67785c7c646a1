import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Effort, Sample } from "./row.ts";
import { STEADY } from "./steady.ts";

/** In ms. The slowest sample of the table takes half a minute. */
const LIMIT = 180_000;

/** A contender in a process of its own, and this side's hold on it. */
export class Measured {
  readonly contender: string;
  readonly #child: ChildProcess;
  readonly #row: string;

  private constructor(child: ChildProcess, row: string, contender: string) {
    this.#child = child;
    this.#row = row;
    this.contender = contender;
  }

  /** Resolves when it has warmed up. */
  static async start(
    folder: string,
    row: string,
    contender: string,
    flags: readonly string[],
    { quick, once: first }: Effort,
  ): Promise<Measured> {
    const child = spawn(
      process.execPath,
      [
        STEADY,
        ...flags,
        "dist/harness/child.js",
        row,
        contender,
        ...(quick ? ["--quick"] : []),
        ...(first ? ["--once"] : []),
      ],
      { cwd: folder, stdio: ["ignore", "ignore", "inherit", "ipc"] },
    );
    const measured = new Measured(child, row, contender);
    await measured.#next();
    return measured;
  }

  async sample(): Promise<Sample> {
    this.#child.send("sample");
    return (await this.#next()) as Sample;
  }

  /** It ends by itself when it has closed what it prepared. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    if (this.#child.connected) this.#child.disconnect();
    const late = setTimeout(() => this.#child.kill("SIGKILL"), 5000);
    await exited;
    clearTimeout(late);
  }

  #next(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(late);
        this.#child.off("message", arrived).off("exit", ended);
      };
      const arrived = (message: unknown): void => {
        settle();
        resolve(message);
      };
      const ended = (code: number | null, signal: string | null): void => {
        settle();
        reject(new Error(`${this.#row}, ${this.contender}: ended with ${signal ?? `code ${code}`}`));
      };
      const late = setTimeout(() => this.#child.kill("SIGKILL"), LIMIT);
      this.#child.on("message", arrived).on("exit", ended);
    });
  }
}
