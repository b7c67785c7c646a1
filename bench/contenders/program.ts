import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

const LF = 10;

/** Where a built program of bench/programs lies, seen from the folder in which contenders run. */
export const pathOf = (name: string): string => `dist/programs/${name}.js`;

/**
 * A program behind pipes, driven by hand: the same driver for all, cheaper than any server, so that a server's rate is
 * what is measured.
 */
export class Program {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  #rest: Buffer[] = [];
  #onLines: (count: number, last: Buffer) => void = () => {};

  constructor(name: string, flags: readonly string[] = []) {
    this.#child = spawn(process.execPath, [...flags, pathOf(name)], { stdio: ["pipe", "pipe", "inherit"] });
    this.#child.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
  }

  get process(): ChildProcess {
    return this.#child;
  }

  write(text: string | Buffer): void {
    this.#child.stdin.write(text);
  }

  /** Writes one message, or the bytes of one, and gives the next line. Nothing else may be under way. */
  async exchange(message: object): Promise<unknown> {
    const line = this.#lines(1);
    this.write(Buffer.isBuffer(message) ? message : `${JSON.stringify(message)}\n`);
    return JSON.parse(await line);
  }

  /** n requests, `width` of them in flight, as many written at once as answers have come at once. */
  async run(n: number, width: number, request: (id: number) => string): Promise<void> {
    let sent = 0;
    const send = (count: number): void => {
      let text = "";
      for (let i = 0; i < count && sent < n; i++) text += request(++sent);
      if (text !== "") this.write(text);
    };
    const answered = this.#lines(n, send);
    send(width);
    const last = JSON.parse(await answered) as { result?: unknown };
    if (last.result === undefined) throw new Error(`Expected a result, got ${JSON.stringify(last)}`);
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "close");
    this.#child.stdin.end();
    const late = setTimeout(() => this.#child.kill("SIGKILL"), 2000);
    await ended;
    clearTimeout(late);
  }

  /** Resolves with the last of `count` lines. */
  #lines(count: number, onSome: (count: number) => void = () => {}): Promise<string> {
    return new Promise((resolve, reject) => {
      const exited = (): void => reject(new Error("The program has ended"));
      this.#child.once("exit", exited);
      let missing = count;
      this.#onLines = (some, last) => {
        missing -= some;
        onSome(some);
        if (missing > 0) return;
        this.#child.off("exit", exited);
        resolve(last.toString());
      };
    });
  }

  /** Counts lines; only the last whole one is kept. */
  #read(chunk: Buffer): void {
    let count = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) count++;
    if (count === 0) return void this.#rest.push(chunk);
    const end = chunk.lastIndexOf(LF);
    const start = end === 0 ? -1 : chunk.lastIndexOf(LF, end - 1);
    const last = start === -1 ? Buffer.concat([...this.#rest, chunk.subarray(0, end)]) : chunk.subarray(start + 1, end);
    this.#rest = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
    this.#onLines(count, last);
  }
}
