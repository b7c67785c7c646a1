import { metaOf } from "../../model/meta.ts";
import { RELATED_TASK } from "../../model/tasks.ts";

/** An answer to a question that was asked for a task says so as well. */
export async function related(params: unknown, answer: Promise<object>): Promise<object> {
  const task = metaOf(params)?.[RELATED_TASK];
  const result = await answer;
  return task === undefined ? result : { ...result, _meta: { ...metaOf(result), [RELATED_TASK]: task } };
}
