import type { AnswerContext } from "../answers.ts";

/** What a task needs of its client. */
export interface TaskLink {
  request(
    method: string,
    params: object,
    options?: { readonly signal?: AbortSignal | undefined; readonly timeout?: number | undefined },
  ): Promise<unknown>;
  /** Answers a question of the server. */
  ask(method: string, params: object | undefined, context: AnswerContext): Promise<object>;
}
