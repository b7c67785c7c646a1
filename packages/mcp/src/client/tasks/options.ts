import type { DetailedTask } from "../../model/tasks.ts";
import type { RequestOptions } from "../requester.ts";

export interface ToolCallOptions extends RequestOptions {
  /**
   * Asks a server of 2025-11-25 to carry the call on as a task, if the tool allows it; `ttl` is for how many ms the task
   * is wanted. Since 2026-07-28 servers decide: see `ConnectOptions.tasks`.
   */
  readonly task?: boolean | { readonly ttl?: number } | undefined;
  /** Hears of each state that is seen of the task that the call goes on as, from the first one on. */
  readonly onTask?: ((task: DetailedTask) => unknown) | undefined;
}
