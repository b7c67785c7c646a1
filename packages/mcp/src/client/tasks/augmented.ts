import type { CallToolResult } from "../../model/tools.ts";
import { taskIn } from "./task-in.ts";
import type { TaskDialect } from "./dialect.ts";

/** Tasks of 2025-11-25: `tasks/result` waits for the end, and the server puts its questions as requests meanwhile. */
export const augmented: TaskDialect = {
  created(result) {
    const { task } = (result ?? {}) as { task?: unknown };
    return task === undefined ? undefined : augmented.read(task);
  },

  read(result) {
    const { ttl, pollInterval, ...task } = (result ?? {}) as Record<string, unknown>;
    return taskIn({
      ...task,
      ttlMs: ttl ?? null,
      ...(pollInterval === undefined ? undefined : { pollIntervalMs: pollInterval }),
    });
  },

  async advance({ taskId, status }, link, { signal }) {
    if (status === "working") return undefined;
    return (await link.request("tasks/result", { taskId }, { signal, timeout: 0 })) as CallToolResult;
  },
};
