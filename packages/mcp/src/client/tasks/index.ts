import type { Id } from "@x/jsonrpc";
import type { CallToolResult } from "../../model/tools.ts";
import type { Catalog } from "../catalog.ts";
import type { Exchange } from "../exchange.ts";
import { Patience } from "../patience.ts";
import { augmented } from "./augmented.ts";
import type { ToolCallOptions } from "./options.ts";
import type { TaskDialect } from "./dialect.ts";
import { extension } from "./extension.ts";
import type { TaskLink } from "./link.ts";
import { FollowedTask } from "./task.ts";

/** What tasks are followed for. */
interface Asker {
  readonly server: Exchange;
  readonly catalog: Catalog;
  readonly report: TaskLink["report"];
  /** ms that a call has until it is answered, if it doesn't say itself. */
  readonly timeout: number | undefined;
}

/** The tasks of one client. Loaded when a call may become one by this client's wish, or has become one. */
export class Tasks {
  readonly #server: Exchange;
  readonly #catalog: Catalog;
  readonly #link: TaskLink;
  readonly #timeout: number;
  /** How the revision speaks of tasks. */
  readonly #dialect: TaskDialect;
  /** Who hears of the progress of running tasks, by token. */
  readonly #hearers = new Map<unknown, (params: object) => Promise<unknown>>();
  #last = 0;

  constructor({ server, catalog, report, timeout = 60_000 }: Asker) {
    this.#server = server;
    this.#catalog = catalog;
    this.#timeout = timeout;
    this.#dialect = server.revision.tasks === "augmented" ? augmented : extension;
    this.#link = {
      request: (method, params, options) => server.request(method, params, options),
      ask: (method, params, context) => server.answer(method, params, context),
      report,
    };
  }

  task(id: string): FollowedTask {
    return new FollowedTask(id, this.#link, this.#dialect);
  }

  /** False for the progress of something else. */
  progress(params: unknown): boolean {
    const hear = this.#hearers.get((params as { progressToken?: unknown } | undefined)?.progressToken);
    hear?.(params as object).catch((error: unknown) => this.#link.report(error));
    return hear !== undefined;
  }

  /** 2025-11-25: the client says which calls become tasks, within what the tool allows. */
  async call(params: { readonly name: string }, options: ToolCallOptions): Promise<unknown> {
    const support = (this.#catalog.get(params.name) ?? (await this.#find(params.name, options)))?.task;
    return support === "required" || (options.task && support === "optional")
      ? await this.#start(params, options)
      : await this.#server.request("tools/call", params, options);
  }

  /** Reads the server's list within what the call has. */
  async #find(name: string, { signal, timeout = this.#timeout }: ToolCallOptions): ReturnType<Catalog["find"]> {
    const patience = new Patience("tools/list", { signal, timeout }, performance.now());
    try {
      return await patience.over(this.#catalog.find(name), () => {});
    } finally {
      patience.end();
    }
  }

  /** Calls a tool in a way that the call becomes a task. */
  async #start(params: object, options: ToolCallOptions): Promise<CallToolResult> {
    const start = performance.now();
    const id = options.id ?? `task-${++this.#last}`;
    const { onProgress, task } = options;
    // The token of the call stays in use until the task has ended.
    if (onProgress) this.#hearers.set(id, async (progress) => onProgress(progress as never));
    try {
      const ttl = typeof task === "object" ? task : {};
      const result = await this.#create({ ...params, task: ttl }, options, id);
      return await this.follow(result, options, start);
    } finally {
      this.#hearers.delete(id);
    }
  }

  /** What a call gives in the end whose first answer this was. */
  follow(
    result: unknown,
    { signal, maxTotalTimeout, onTask }: ToolCallOptions,
    start: number,
  ): CallToolResult | Promise<CallToolResult> {
    const created = this.#dialect.created(result);
    if (!created) return result as CallToolResult;
    const task = new FollowedTask(created.taskId, this.#link, this.#dialect, created);
    return task.result({ signal, timeout: maxTotalTimeout, onTask }, start);
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
}
