import type { Id } from "@x/jsonrpc";
import type { DetailedTask } from "../../model/tasks.ts";
import type { CallToolResult } from "../../model/tools.ts";
import type { Catalog } from "../catalog.ts";
import { CapabilityError } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import { Patience } from "../patience.ts";
import type { RequestOptions } from "../requester.ts";
import { augmented } from "./augmented.ts";
import type { TaskDialect } from "./dialect.ts";
import { extension } from "./extension.ts";
import type { TaskLink } from "./link.ts";
import { ClientTask } from "./task.ts";

export interface ToolCallOptions extends RequestOptions {
  /**
   * Asks a server of 2025-11-25 to carry the call on as a task, if the tool allows it; `ttl` is for how many ms the task
   * is wanted. Since 2026-07-28 servers decide: see `ConnectOptions.tasks`.
   */
  readonly task?: boolean | { readonly ttl?: number } | undefined;
  /** Hears of each state that is seen of the task that the call goes on as, from the first one on. */
  readonly onTask?: ((task: DetailedTask) => unknown) | undefined;
}

const dialects: { readonly augmented: TaskDialect; readonly extension: TaskDialect } = { augmented, extension };

/** Calls of tools, which may go on as tasks: those are followed until they give what the call would have given. */
export class TaskCalls {
  readonly #server: Exchange;
  readonly #catalog: Catalog;
  readonly #link: TaskLink;
  readonly #timeout: number;
  /** How the revision speaks of tasks; undefined where it knows none. */
  readonly #dialect: TaskDialect | undefined;
  /** Who hears of the progress of running tasks, by token. */
  readonly #hearers = new Map<unknown, (params: object) => unknown>();
  #last = 0;

  /** `timeout` is the ms that a call has until it is answered, if it doesn't say itself. */
  constructor(server: Exchange, catalog: Catalog, report: TaskLink["report"], timeout = 60_000) {
    const { tasks } = server.revision;
    this.#server = server;
    this.#catalog = catalog;
    this.#timeout = timeout;
    this.#dialect = tasks && dialects[tasks];
    this.#link = {
      request: (method, params, options) => server.request(method, params, options),
      ask: (method, params, context) => server.answer(method, params, context),
      report,
    };
  }

  /** tools/call */
  call(params: { readonly name: string }, options: ToolCallOptions = {}): Promise<unknown> {
    if (this.#dialect === augmented && this.#isOffered) return this.#callAugmented(params, options);
    const answer = this.#server.request("tools/call", params, options);
    if (!this.#server.followsTasks) return answer;
    const start = performance.now();
    return answer.then((result) => this.#end(result, options, start));
  }

  /** Throws a CapabilityError where the server has no tasks, and a TypeError where this client can't follow any. */
  task(id: string): ClientTask {
    const { capability } = this.#dialect ?? augmented;
    if (!this.#dialect || !this.#isOffered) throw new CapabilityError("tasks/get", capability);
    if (this.#dialect === extension && !this.#server.followsTasks)
      throw new TypeError("This client does not say that it can follow tasks: connect it with { tasks: true }");
    return new ClientTask(id, this.#link, this.#dialect);
  }

  get #isOffered(): boolean {
    return this.#dialect?.isOffered(this.#server.capabilities) === true;
  }

  /** False for the progress of something else. */
  progress(params: unknown): boolean {
    const hear = this.#hearers.get((params as { progressToken?: unknown } | undefined)?.progressToken);
    void hear?.(params as object);
    return hear !== undefined;
  }

  /** 2025-11-25: the client says which calls become tasks, within what the tool allows. */
  async #callAugmented(params: { readonly name: string }, options: ToolCallOptions): Promise<unknown> {
    const { task } = options;
    const support = (await this.#catalog.find(params.name))?.task;
    if (support !== "required" && !(task && support === "optional"))
      return await this.#server.request("tools/call", params, options);
    const start = performance.now();
    const id = options.id ?? `task-${++this.#last}`;
    const { onProgress } = options;
    // The token of the call stays in use until the task has ended.
    if (onProgress) this.#hearers.set(id, (progress) => onProgress(progress as never));
    try {
      const ttl = typeof task === "object" ? task : {};
      const result = await this.#create({ ...params, task: ttl }, options, id);
      return await this.#end(result, options, start);
    } finally {
      this.#hearers.delete(id);
    }
  }

  /**
   * A task can't be cancelled before its id is known, and a request for one must not be cancelled like others: whoever
   * gives up gets the error at once, and the task is cancelled when it turns up.
   */
  async #create(params: object, options: ToolCallOptions, id: Id): Promise<unknown> {
    const { signal, timeout = this.#timeout, maxTotalTimeout } = options;
    const limit = Math.min(timeout || Infinity, maxTotalTimeout || Infinity);
    const patience = new Patience("tools/call", { signal, timeout: limit }, performance.now());
    const own = { ...options, id, signal: undefined, timeout: 0, maxTotalTimeout: undefined };
    try {
      return await patience.over(this.#server.request("tools/call", params, own), (late) => {
        const created = augmented.created(late);
        if (created)
          this.task(created.taskId)
            .cancel()
            .catch(() => {});
      });
    } finally {
      patience.end();
    }
  }

  /** What the call gives in the end. */
  #end(
    result: unknown,
    { signal, maxTotalTimeout, onTask }: ToolCallOptions,
    start: number,
  ): CallToolResult | Promise<CallToolResult> {
    const dialect = this.#dialect as TaskDialect;
    const created = dialect.created(result);
    if (!created) return result as CallToolResult;
    const task = new ClientTask(created.taskId, this.#link, dialect, created);
    return task.result({ signal, timeout: maxTotalTimeout, onTask }, start);
  }
}
