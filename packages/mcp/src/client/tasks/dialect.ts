import type { DetailedTask } from "../../model/tasks.ts";
import type { CallToolResult } from "../../model/tools.ts";
import type { AnswerContext } from "../answers.ts";
import type { TaskLink } from "./link.ts";

/** What the tasks of 2025-11-25 and those of the extension do differently. */
export interface TaskDialect {
  /** The task in a result that says that the call goes on as one; undefined for an ordinary result. */
  created(result: unknown): DetailedTask | undefined;
  read(result: unknown): DetailedTask;
  /** Does what a task in this state waits for. Gives the result where that brings it. */
  advance(
    task: DetailedTask,
    link: TaskLink,
    context: AnswerContext,
    answered: Set<string>,
  ): Promise<CallToolResult | undefined>;
}
