import type { DetailedTask } from "../../model/tasks.ts";
import type { CallToolResult } from "../../model/tools.ts";
import type { TaskDialect } from "./dialect.ts";

/** Tasks of 2025-11-25: `tasks/result` waits for the end, and the server puts its questions as requests meanwhile. */
export const augmented: TaskDialect = {
  capability: "tasks.requests.tools.call",

  isOffered: ({ tasks }) => tasks?.requests?.tools?.call !== undefined,

  created(result) {
    const { task } = (result ?? {}) as { task?: { taskId?: unknown } };
    return typeof task?.taskId === "string" ? augmented.read(task) : undefined;
  },

  read(result) {
    const { ttl, pollInterval, ...task } = result as Record<string, unknown>;
    return {
      ...task,
      ttlMs: ttl ?? null,
      ...(pollInterval === undefined ? undefined : { pollIntervalMs: pollInterval }),
    } as unknown as DetailedTask;
  },

  async advance({ taskId, status }, link, { signal }) {
    if (status === "working") return undefined;
    return (await link.request("tasks/result", { taskId }, { signal, timeout: 0 })) as CallToolResult;
  },
};
