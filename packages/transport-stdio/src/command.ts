import type { Batch, Message, Receive, Transport } from "@x/jsonrpc";
import { newline } from "@x/jsonrpc/framing";
import type { Child } from "./child.ts";
import { ServerExited, ServerUnreachable } from "./command-errors.ts";
import { commandLine } from "./command-line.ts";
import { deferred, quiet } from "./deferred.ts";
import type { EnvironmentVariables } from "./environment.ts";
import { Input } from "./input.ts";
import { Output } from "./output.ts";
import type { ShutdownOptions } from "./shutdown-options.ts";
import { MAX_QUEUE, type StreamOptions } from "./pair-transport.ts";
import { parseOutput } from "./stray.ts";
import { Tail } from "./tail.ts";

export interface CommandOptions extends Omit<StreamOptions, "flushTimeout"> {
  /**
   * Variables for the program, over the few that it inherits: PATH, HOME, language, temporary folder and the like, but
   * nothing that could hold a secret. `env: process.env` passes on everything.
   */
  readonly env?: EnvironmentVariables | undefined;
  /** The folder that it runs in (default: this process's). */
  readonly cwd?: string | URL | undefined;
  /**
   * What becomes of the lines that it writes to stderr: `"inherit"` writes them to this process's stderr, a function
   * is called with each. By default they are only kept: the last ones are in `stderr` and in the errors.
   */
  readonly stderr?: "inherit" | ((line: string) => void) | undefined;
  readonly shutdown?: ShutdownOptions | undefined;
}

/** A transport to a program that it starts. */
export interface Command extends Transport {
  /** Undefined until it has been started. */
  readonly pid: number | undefined;
  /** The last lines that it has written to stderr. */
  readonly stderr: string;
}

/**
 * Starts a program when it is opened and speaks to its stdin and stdout. `open` rejects with ServerNotStarted,
 * ServerExited or ServerUnreachable; `close` ends the program's stdin, then it and whatever it has started, and always
 * resolves. Lines on its stdout that are no messages are reported and not answered.
 */
export function command(program: string, args: readonly string[] = [], options: CommandOptions = {}): Command {
  return new CommandTransport(program, args, options);
}

/** ms that a program which closes its stdin or stdout has to end. */
const LAST_MOMENTS = 1000;

class CommandTransport implements Command {
  readonly #program: string;
  readonly #args: readonly string[];
  readonly #commandLine: string;
  readonly #options: CommandOptions;
  readonly #output: Output;
  readonly #tail = new Tail();
  readonly #ended = deferred();
  #child: Child | undefined;
  #input: Input | undefined;
  #exited = false;
  #starting: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(program: string, args: readonly string[], options: CommandOptions) {
    this.#program = program;
    this.#args = args;
    this.#commandLine = commandLine(program, args);
    this.#options = options;
    this.#output = new Output(options.framing ?? newline, options.maxQueue ?? MAX_QUEUE, {
      failed: (error) => this.#cutOff("closed its stdin", error),
      choked: (choked) => this.#input?.choke(choked),
    });
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get stderr(): string {
    return this.#tail.text;
  }

  open(receive: Receive): Promise<void> {
    if (this.#starting)
      return quiet(Promise.reject(new Error("A command serves one connection: make a new one for the next")));
    if (!this.#closing) this.#starting = this.#start(receive).catch((error: unknown) => this.#over(error as Error));
    return this.#ended.promise;
  }

  send(message: Message | Batch): Promise<void> | undefined {
    return this.#output.send(message);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #start(receive: Receive): Promise<void> {
    const { env, cwd, framing = newline, maxBytes, info } = this.#options;
    const { start } = await import("./child.ts");
    const heard = (line: string): void => {
      this.#tail.add(line);
      this.#show(line);
    };
    const child = await start(this.#program, this.#args, { env, cwd, heard });
    const since = performance.now();
    this.#child = child;
    this.#output.attach(child.stdin);
    const decoder = framing.decoder(
      (frame) => {
        if (this.#closing) return;
        const message = parseOutput(frame);
        this.#output.heard(message);
        receive(message, info);
      },
      { maxBytes },
    );
    const inputEnded = deferred();
    const input = (this.#input = new Input(decoder, child.stdout, (error) => {
      inputEnded.resolve();
      this.#cutOff("closed its stdout", error);
    }));
    void child.exited.then(async (exit) => {
      const ms = Math.round(performance.now() - since);
      this.#exited = true;
      await child.silent(input, inputEnded.promise);
      this.#over(new ServerExited(this.#commandLine, exit, ms, this.stderr));
    });
  }

  #show(line: string): void {
    const { stderr } = this.#options;
    try {
      if (stderr === "inherit") process.stderr.write(`${line}\n`);
      else if (stderr) Promise.resolve(stderr(line)).catch(console.error);
    } catch (fault) {
      // Thrown by the user's function; it must not end the connection.
      console.error(fault);
    }
  }

  /** Mostly the first sign that it has ended, and its exit says more. */
  #cutOff(what: string, cause?: unknown): void {
    const unreachable = (): void => {
      if (!this.#exited) this.#over(new ServerUnreachable(this.#commandLine, what, this.stderr, cause));
    };
    setTimeout(unreachable, LAST_MOMENTS).unref();
  }

  /** The connection has ended, and not from this side. What the program has left behind ends too. */
  #over(reason: Error): void {
    if (this.#closing) return;
    this.#ended.reject(reason);
    this.#output.fail(reason);
    void this.close();
  }

  async #close(): Promise<void> {
    await this.#starting;
    // What waits for one that never started has to be told as well.
    await (this.#child?.end(this.#output, this.#options.shutdown) ?? this.#output.end(0));
    this.#ended.resolve();
  }
}
