import { MissingClientCapabilityError } from "../../errors.ts";
import type { Asker, Question } from "../asking/asker.ts";
import { lacking } from "../asking/lacking.ts";
import type { ClientFacts } from "../client-facts.ts";
import type { Task } from "./task.ts";

/** Questions of a running task wait in the task until the client brings the answers. */
export class TaskAsker implements Asker {
  readonly #task: Task;
  readonly #client: ClientFacts;
  /** Keys are never used twice in a task's life: a question that comes again gets the first answer. */
  readonly #answers = new Map<string, Promise<unknown>>();
  readonly #done = new Map<string, Promise<unknown>>();

  constructor(task: Task, client: ClientFacts) {
    this.#task = task;
    this.#client = client;
  }

  ask(key: string, question: Question): Promise<unknown> {
    const missing = lacking(question.needs, this.#client.capabilities);
    if (missing) return Promise.reject(new MissingClientCapabilityError({ requiredCapabilities: missing }));
    return once(this.#answers, key, () => this.#task.ask(key, question));
  }

  once<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    return once(this.#done, key, work);
  }
}

function once<T>(done: Map<string, Promise<unknown>>, key: string, work: () => T | Promise<T>): Promise<T> {
  const before = done.get(key) as Promise<T> | undefined;
  if (before) return before;
  const running = (async () => await work())();
  done.set(key, running);
  running.catch(() => done.delete(key));
  return running;
}
