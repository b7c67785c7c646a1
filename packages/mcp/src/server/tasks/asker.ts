import type { Asker, Question } from "../asking/asker.ts";
import { lacking, notAsked, refused } from "../asking/lacking.ts";
import { once } from "../asking/once.ts";
import type { Call } from "../contract.ts";
import type { Task } from "./task.ts";

/** Questions of a running task wait in the task until the client brings the answers. */
export class TaskAsker implements Asker {
  readonly #task: Task;
  readonly #call: Call;
  /** Keys are never used twice in a task's life: a question that comes again gets the first answer. */
  readonly #answers = new Map<string, Promise<unknown>>();
  readonly #done = new Map<string, Promise<unknown>>();

  constructor(task: Task, call: Call) {
    this.#task = task;
    this.#call = call;
  }

  async ask(key: string, question: Question): Promise<unknown> {
    const missing = lacking(question, this.#call.client);
    if (!missing) return await once(this.#answers, key, () => this.#task.ask(key, question));
    throw this.#isConnected ? notAsked(key, missing) : refused(missing);
  }

  async tell(method: string, params: object): Promise<void> {
    if (this.#isConnected) await this.#call.session.notify(method, params);
  }

  once<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    return once(this.#done, key, work);
  }

  get #isConnected(): boolean {
    return this.#call.lifecycle.name === "handshake";
  }
}
