import type { ServerCapabilities } from "../model/capabilities.ts";
import { TASKS_EXTENSION } from "../model/tasks.ts";
import type { CallToolResult } from "../model/tools.ts";
import type { Revision } from "../revisions/index.ts";
import type { Call, Method } from "./contract.ts";
import type { Feature } from "./feature.ts";
import type { Tasks } from "./tasks/index.ts";
import type { Watched } from "./tasks/stateless.ts";
import type { TasksOptions } from "./tasks/store.ts";
import type { TaskUse } from "./tasks/use.ts";

const NAMES = ["get", "update", "cancel", "list", "result"] as const;

/** The tasks of 2025-11-25 and the extension of 2026-07-28, for servers with a tool that may become one. */
export class TasksFeature implements Feature {
  readonly methods: { readonly [name: string]: Method } = Object.fromEntries(
    NAMES.map((name) => [`tasks/${name}`, async (call: Call) => (await this.#load()).handle(call, name)]),
  );
  readonly #options: TasksOptions | undefined;
  #tasks: Promise<Tasks> | undefined;

  constructor(options: TasksOptions | undefined) {
    this.#options = options;
  }

  capabilities({ tasks }: Revision): ServerCapabilities {
    if (tasks === "augmented") return { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
    return tasks === "extension" ? { extensions: { [TASKS_EXTENSION]: {} } } : {};
  }

  async run(call: Call, use: TaskUse, work: () => CallToolResult | PromiseLike<CallToolResult>): Promise<object> {
    return await (await this.#load()).run(call, use, work);
  }

  async watch(call: Call, ids: readonly string[], tell: (method: string, params: object) => void): Promise<Watched> {
    return (await this.#load()).watch(call, ids, tell);
  }

  #load(): Promise<Tasks> {
    return (this.#tasks ??= import("./tasks/index.ts").then(({ Tasks }) => new Tasks(this.#options)));
  }
}
