import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { pathOf } from "./program.ts";

/** A program that listens on a port and answers questions (see `listen`). */
export class HttpProgram {
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async start(name: string, args: readonly string[] = [], flags: readonly string[] = []): Promise<HttpProgram> {
    const child = spawn(process.execPath, [...flags, pathOf(name), ...args], {
      stdio: ["pipe", "pipe", "inherit", "ipc"],
    });
    if (!child.stdout) throw new TypeError("A server without stdout");
    for await (const line of createInterface({ input: child.stdout })) return new HttpProgram(child, Number(line));
    throw new Error("The server ended before it listened");
  }

  async ask<T>(question: "spent" | "memory"): Promise<T> {
    this.#child.send(question);
    return ((await once(this.#child, "message")) as [T])[0];
  }

  change(): void {
    this.#child.send("change");
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await once(this.#child, "close");
  }
}
