import type { DetailedTask, TaskStatus } from "../../model/tasks.ts";

const STATUSES: readonly unknown[] = [
  "working",
  "input_required",
  "completed",
  "failed",
  "cancelled",
] satisfies TaskStatus[];

/** A task that a server shows. Throws for what is none: it would be asked after for ever. */
export function taskIn(shown: unknown): DetailedTask {
  const { taskId, status, pollIntervalMs = 0, inputRequests = {} } = (shown ?? {}) as Partial<DetailedTask>;
  const isTask =
    typeof taskId === "string" &&
    STATUSES.includes(status) &&
    typeof pollIntervalMs === "number" &&
    typeof inputRequests === "object" &&
    inputRequests !== null;
  if (isTask) return shown as DetailedTask;
  throw new Error(`The server has shown ${JSON.stringify(shown)?.slice(0, 200)}, which is no task`);
}
