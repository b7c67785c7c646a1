import type { AnswerContext } from "../answers.ts";
import type { RequestOptions } from "../requester.ts";

/** What a task needs of its client. */
export interface TaskLink {
  request(method: string, params: object, options?: RequestOptions): Promise<unknown>;
  /** Answers a question of the server. */
  ask(method: string, params: object | undefined, context: AnswerContext): Promise<object>;
  /** Hears what a listener throws. */
  report(error: unknown): void;
}
