import type { ErrorObject } from "@x/jsonrpc";
import type { JsonObject } from "./json.ts";

/** The tasks extension of 2026-07-28, as it is named in `capabilities.extensions`. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** In 2025-11-25, the `_meta` key that ties a message to a task. */
export const RELATED_TASK = "io.modelcontextprotocol/related-task";

/** completed, failed and cancelled are final. */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** What the server needs from the client to go on with a task. */
export type InputRequests = { readonly [key: string]: { readonly method: string; readonly params?: object } };

/** A task as the extension shows it. Times are ISO 8601, spans ms; `ttlMs` null is for ever. */
export interface Task {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number | null;
  readonly pollIntervalMs?: number;
}

/** A task with what its status brings. */
export interface DetailedTask extends Task {
  /** With input_required: all that is outstanding. */
  readonly inputRequests?: InputRequests;
  /** With completed. */
  readonly result?: JsonObject;
  /** With failed. */
  readonly error?: ErrorObject;
}
