import { RpcError } from "@x/jsonrpc";
import type { DetailedTask } from "../../model/tasks.ts";
import type { CallToolResult } from "../../model/tools.ts";
import type { TaskDialect } from "./dialect.ts";
import type { TaskLink } from "./link.ts";

export interface FollowOptions {
  /** Gives up following, and asks the server to cancel the task. */
  readonly signal?: AbortSignal | undefined;
  /** Hears of each state that is seen. */
  readonly onTask?: ((task: DetailedTask) => unknown) | undefined;
}

/** A call that the server carries on as a task. `id` can be kept and the task met again later. */
export class ClientTask {
  readonly id: string;
  readonly #link: TaskLink;
  readonly #dialect: TaskDialect;
  /** Questions that were answered already; they are not put to anybody twice. */
  readonly #answered = new Set<string>();

  constructor(id: string, link: TaskLink, dialect: TaskDialect) {
    this.id = id;
    this.#link = link;
    this.#dialect = dialect;
  }

  /** How it stands. */
  async get(options?: FollowOptions): Promise<DetailedTask> {
    return this.#dialect.read(await this.#link.request("tasks/get", { taskId: this.id }, options));
  }

  /** Asks the server to stop the work; it may still end otherwise. */
  async cancel(): Promise<void> {
    await this.#link.request("tasks/cancel", { taskId: this.id });
  }

  /** Waits for the end, answers what the task asks meanwhile, and gives what the plain call would have given. */
  async result({ signal, onTask }: FollowOptions = {}): Promise<CallToolResult> {
    const given = signal ?? new AbortController().signal;
    try {
      for (;;) {
        given.throwIfAborted();
        const task = await this.get({ signal });
        onTask?.(task);
        const outcome = await this.#advance(task, given);
        if (outcome) return outcome;
        await pause(task.pollIntervalMs ?? 1000, given);
      }
    } catch (error) {
      if (given.aborted) void this.cancel().catch(() => {});
      throw error;
    }
  }

  /** The result, if the task has come to its end. */
  async #advance(task: DetailedTask, signal: AbortSignal): Promise<CallToolResult | undefined> {
    if (task.status === "completed" && task.result) return task.result as unknown as CallToolResult;
    if (task.status === "failed" && task.error)
      throw new RpcError(task.error.code, task.error.message, task.error.data);
    if (task.status === "cancelled")
      throw new Error(`The task was cancelled${task.statusMessage ? `: ${task.statusMessage}` : ""}`);
    return await this.#dialect.advance(this.id, task, this.#link, { signal }, this.#answered);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
