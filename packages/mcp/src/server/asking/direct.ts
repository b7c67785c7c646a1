import type { Call } from "../contract.ts";
import { ANSWER_TTL, type Asker, type Question } from "./asker.ts";
import { lacking, notAsked } from "./lacking.ts";
import { once } from "./once.ts";
import { directly } from "./questions.ts";

/** After a handshake a question is a request of its own, and its answer the response. */
export class DirectAsker implements Asker {
  readonly #call: Call;
  readonly #done = new Map<string, Promise<unknown>>();

  constructor(call: Call) {
    this.#call = call;
  }

  async ask(key: string, question: Question): Promise<unknown> {
    const { client, session, signal } = this.#call;
    const timeout = session.server.options.state?.ttl ?? ANSWER_TTL;
    const missing = lacking(question, client);
    if (missing) throw notAsked(key, missing);
    const params = directly(question, client.revision);
    const answer = await this.#call.request(question.method, params, { signal, timeout });
    const value = question.read(answer);
    if (value === undefined) throw new Error(`The client's answer to "${key}" is not a result of ${question.method}`);
    return value;
  }

  tell(method: string, params: object): Promise<void> {
    return this.#call.session.notify(method, params);
  }

  once<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    return once(this.#done, key, work);
  }
}
