import { METHOD_NOT_FOUND, RpcError } from "@x/jsonrpc";
import type { CallToolResult } from "../../model/tools.ts";
import { refused } from "../asking/lacking.ts";
import type { Call, Connection, Methods } from "../contract.ts";
import { TaskAsker } from "./asker.ts";
import * as handshake from "./handshake.ts";
import * as stateless from "./stateless.ts";
import type { Watched } from "./stateless.ts";
import { TaskStore, type TasksOptions } from "./store.ts";
import type { Task } from "./task.ts";
import type { TaskUse } from "./use.ts";

/** How the two kinds of tasks differ is the revision's matter; see Revision.tasks. */
const kinds = { augmented: handshake, extension: stateless };

const NAMES = ["get", "update", "cancel", "list", "result"] as const;

/** The tasks of one server. Loaded when a tool that may become one is called. */
export class Tasks {
  readonly methods: Methods = Object.fromEntries(
    NAMES.map((name) => [`tasks/${name}`, (call: Call) => this.#handle(call, name)]),
  );
  readonly #store: TaskStore;
  readonly #sessions = new WeakSet<Connection>();

  constructor(options: TasksOptions | undefined) {
    this.#store = new TaskStore(options);
  }

  /** Tells of each change of those tasks, as far as they are the caller's. */
  watch(call: Call, ids: readonly string[], tell: (method: string, params: object) => void): Watched {
    return stateless.watch(call, this.#store, ids, tell);
  }

  /**
   * Runs a tool that may become a task. In 2025-11-25 the client asks for that and is answered at once; with the
   * extension the handler says when, by `context.detach()`.
   */
  run(call: Call, use: TaskUse, work: () => CallToolResult | PromiseLike<CallToolResult>): Promise<object> {
    const kind = kindOf(call);
    if (!kind?.canFollow(call)) return this.#plainly(call, use, work);
    return new Promise((resolve, reject) => {
      let task: Task | undefined;
      const detach = (): void => {
        // Questions that the client has not been asked yet would get lost.
        if (task || call.asking?.pending) return;
        task = this.#store.create(
          kind.ownerOf(call),
          (reason) => call.abort(reason),
          (call.params["task"] as { ttl?: unknown } | undefined)?.ttl,
        );
        if (task.owner === call.session) this.#endWith(call.session);
        call.follow(new TaskAsker(task, call), kind.told(task));
        resolve(kind.created(task));
      };
      call.onDetach = detach;
      if (kind === handshake) detach();
      const failed = (error: unknown): void => (task ? task.fail(error) : reject(error));
      try {
        Promise.resolve(work()).then(
          (result) => (task ? complete(task, result, kind === handshake) : resolve(result)),
          failed,
        );
      } catch (error) {
        failed(error);
      }
    });
  }

  #handle(call: Call, name: (typeof NAMES)[number]): unknown {
    const kind = kindOf(call);
    const method = kind && (kind as Partial<Record<typeof name, (call: Call, store: TaskStore) => unknown>>)[name];
    if (!method)
      throw new RpcError(METHOD_NOT_FOUND, `Method not found: "${call.method}" in ${call.client.revision.version}`);
    return method(call, this.#store);
  }

  /** Tasks that belong to a connection end with it. */
  #endWith(session: Connection): void {
    if (this.#sessions.has(session)) return;
    this.#sessions.add(session);
    void session.closed.then(() => {
      for (const task of this.#store.of(session)) task.cancel();
    });
  }

  async #plainly(call: Call, use: TaskUse, work: () => CallToolResult | PromiseLike<CallToolResult>): Promise<object> {
    const { tasks } = call.client.revision;
    if (use === "required" && tasks === "augmented")
      throw new RpcError(METHOD_NOT_FOUND, `tool "${String(call.params["name"])}" can only be called as a task`);
    if (use === "required" && tasks === "extension") throw refused(stateless.capability);
    return await work();
  }
}

/** In 2025-11-25 a tool's own failure is the task's; in the extension the task has done its work. */
function complete(task: Task, result: CallToolResult, failing: boolean): void {
  if (!failing || !result.isError) return task.complete(result, "completed");
  const [first] = result.content;
  task.complete(result, "failed", first?.type === "text" ? first.text : "The tool has failed");
}

const kindOf = ({ client }: Call): (typeof kinds)[keyof typeof kinds] | undefined =>
  client.revision.tasks && kinds[client.revision.tasks];
