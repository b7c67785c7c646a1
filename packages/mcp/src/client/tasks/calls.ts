import { Late } from "../../late.ts";
import { TASKS_EXTENSION } from "../../model/tasks.ts";
import type { Catalog } from "../catalog.ts";
import { CapabilityError } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import { kindOf } from "../result-type.ts";
import type { Tasks } from "./index.ts";
import type { TaskLink } from "./link.ts";
import type { ToolCallOptions } from "./options.ts";
import type { ClientTask } from "./task.ts";

/** Calls of tools, which may go on as tasks: those are followed until they give what the call would have given. */
export class TaskCalls {
  readonly #server: Exchange;
  readonly #tasks: Late<Tasks>;

  /** `timeout` is the ms that a call has until it is answered, if it doesn't say itself. */
  constructor(server: Exchange, catalog: Catalog, report: TaskLink["report"], timeout: number | undefined) {
    this.#server = server;
    this.#tasks = new Late(async () => {
      const { Tasks } = await import("./index.ts");
      return new Tasks({ server, catalog, report, timeout });
    });
  }

  /** tools/call */
  call(params: { readonly name: string }, options: ToolCallOptions = {}): Promise<unknown> {
    if (this.#isAugmented && this.#isOffered) return this.#tasks.open().then((tasks) => tasks.call(params, options));
    const answer = this.#server.request("tools/call", params, options);
    if (!this.#server.followsTasks) return answer;
    const start = performance.now();
    return answer.then((result) =>
      kindOf(result) === "task" ? this.#tasks.open().then((tasks) => tasks.follow(result, options, start)) : result,
    );
  }

  /** Throws a CapabilityError where the server has no tasks, and a TypeError where this client can't follow any. */
  task(id: string): ClientTask {
    if (!this.#isOffered)
      throw new CapabilityError(
        "tasks/get",
        this.#server.revision.tasks === "extension" ? `extensions["${TASKS_EXTENSION}"]` : "tasks.requests.tools.call",
      );
    if (!this.#isAugmented && !this.#server.followsTasks)
      throw new TypeError("This client does not say that it can follow tasks: connect it with { tasks: true }");
    const task = this.#tasks.open().then((tasks) => tasks.task(id));
    // Whoever uses it hears of it.
    task.catch(() => {});
    return {
      id,
      get: (options) => task.then((it) => it.get(options)),
      cancel: () => task.then((it) => it.cancel()),
      result: (options) => task.then((it) => it.result(options)),
    };
  }

  /** False for the progress of something else. */
  progress(params: unknown): boolean {
    return this.#tasks.now?.progress(params) === true;
  }

  get #isAugmented(): boolean {
    return this.#server.revision.tasks === "augmented";
  }

  get #isOffered(): boolean {
    const { capabilities, revision } = this.#server;
    if (revision.tasks === "extension") return capabilities.extensions?.[TASKS_EXTENSION] !== undefined;
    return this.#isAugmented && capabilities.tasks?.requests?.tools?.call !== undefined;
  }
}
