import { RpcError } from "@x/jsonrpc";
import type { DetailedTask } from "../../model/tasks.ts";
import type { CallToolResult } from "../../model/tools.ts";
import type { TaskDialect } from "./dialect.ts";
import type { TaskLink } from "./link.ts";
import { Patience } from "../patience.ts";

export interface FollowOptions {
  /** Gives up: the server is asked to cancel the task. */
  readonly signal?: AbortSignal | undefined;
  /** ms after which to give up (default: never). Rejects with a TimeoutError. */
  readonly timeout?: number | undefined;
  /** Hears of each state that is seen. */
  readonly onTask?: ((task: DetailedTask) => unknown) | undefined;
}

/** ms between polls where the server says nothing. */
const POLL_INTERVAL = 1000;

/** States in which a task that was asked after has an outcome. */
const ENDED = new Set<DetailedTask["status"]>(["completed", "failed"]);

/** A call that the server carries on as a task. `id` can be kept and the task met again later. */
export interface ClientTask {
  readonly id: string;
  /** How it stands. */
  get(options?: Pick<FollowOptions, "signal">): Promise<DetailedTask>;
  /** Asks the server to stop the work; it may still end otherwise. */
  cancel(): Promise<void>;
  /**
   * Waits for the end, answers what the task asks meanwhile, and gives what the plain call would have given: its result,
   * or an RpcError.
   */
  result(options?: FollowOptions): Promise<CallToolResult>;
}

/** Asks the server, as its dialect has it. */
export class FollowedTask implements ClientTask {
  readonly id: string;
  readonly #link: TaskLink;
  readonly #dialect: TaskDialect;
  /** Questions that were answered already; they are not put to anybody twice. */
  readonly #answered = new Set<string>();
  /** The state that the server has shown unasked. */
  readonly #created: DetailedTask | undefined;

  constructor(id: string, link: TaskLink, dialect: TaskDialect, created?: DetailedTask) {
    this.id = id;
    this.#link = link;
    this.#dialect = dialect;
    this.#created = created;
  }

  async get(options?: Pick<FollowOptions, "signal">): Promise<DetailedTask> {
    return this.#dialect.read(await this.#link.request("tasks/get", { taskId: this.id }, { signal: options?.signal }));
  }

  async cancel(): Promise<void> {
    await this.#link.request("tasks/cancel", { taskId: this.id });
  }

  /** `timeout` counts from `since`, ms of `performance.now()`. */
  async result({ onTask, ...limits }: FollowOptions = {}, since: number = performance.now()): Promise<CallToolResult> {
    const patience = new Patience("tools/call", limits, since);
    const { signal } = patience;
    const hear = async (task: DetailedTask): Promise<unknown> => onTask?.(task);
    try {
      let task = this.#created ?? (await this.get({ signal }));
      for (;;) {
        hear(task).catch((error: unknown) => this.#link.report(error));
        const outcome = await patience.over(this.#advance(task, signal), () => {});
        if (outcome) return outcome;
        if (task !== this.#created && ENDED.has(task.status))
          throw new Error(`The task is ${task.status}, but the server shows neither a result nor an error`);
        await patience.pause(task.pollIntervalMs ?? POLL_INTERVAL);
        task = await this.get({ signal });
      }
    } catch (error) {
      if (!signal.aborted) {
        patience.giveUp(error);
        throw error;
      }
      this.cancel().catch(() => {});
      throw signal.reason;
    } finally {
      patience.end();
    }
  }

  /** The result, if the task has come to its end. */
  async #advance(task: DetailedTask, signal: AbortSignal): Promise<CallToolResult | undefined> {
    const { status, statusMessage, result, error } = task;
    if (status === "completed" && result) return result as unknown as CallToolResult;
    if (status === "failed" && error) throw new RpcError(error.code, error.message, error.data);
    if (status === "cancelled") throw new Error(`The task was cancelled${statusMessage ? `: ${statusMessage}` : ""}`);
    return await this.#dialect.advance(task, this.#link, { signal }, this.#answered);
  }
}
