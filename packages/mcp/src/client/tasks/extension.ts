import { taskIn } from "./task-in.ts";
import type { TaskDialect } from "./dialect.ts";

/** Tasks of the extension: questions come with the task, answers go by `tasks/update`. */
export const extension: TaskDialect = {
  created(result) {
    const { resultType } = (result ?? {}) as { resultType?: unknown };
    return resultType === "task" ? taskIn(result) : undefined;
  },

  read: taskIn,

  async advance({ taskId, status, inputRequests = {} }, link, context, answered) {
    if (status !== "input_required") return undefined;
    const open = Object.entries(inputRequests).filter(([key]) => !answered.has(key));
    if (open.length === 0) return undefined;
    for (const [key] of open) answered.add(key);
    const asking = open.map(
      async ([key, { method, params }]) => [key, await link.ask(method, params, context)] as const,
    );
    const answers = await Promise.all(asking).catch((error: unknown) => {
      // The task would wait for an answer that never comes.
      link.request("tasks/cancel", { taskId }).catch(() => {});
      throw error;
    });
    await link.request("tasks/update", { taskId, inputResponses: Object.fromEntries(answers) }, context);
    return undefined;
  },
};
