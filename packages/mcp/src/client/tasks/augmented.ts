import { metaOf } from "../../model/meta.ts";
import { RELATED_TASK } from "../../model/tasks.ts";
import type { CallToolResult } from "../../model/tools.ts";
import { taskIn } from "./task-in.ts";
import type { TaskDialect } from "./dialect.ts";

/** An answer to a question that was asked for a task says so as well. */
export async function related(params: unknown, answer: Promise<object>): Promise<object> {
  const task = metaOf(params)?.[RELATED_TASK];
  const result = await answer;
  return task === undefined ? result : { ...result, _meta: { ...metaOf(result), [RELATED_TASK]: task } };
}

/** Tasks of 2025-11-25: `tasks/result` waits for the end, and the server puts its questions as requests meanwhile. */
export const augmented: TaskDialect = {
  capability: "tasks.requests.tools.call",

  isOffered: ({ tasks }) => tasks?.requests?.tools?.call !== undefined,

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
