import type { Call } from "../contract.ts";
import type { Asker, Question } from "./asker.ts";
import { lacking } from "./lacking.ts";

/** After a handshake a question is a request of its own, and its answer the response. */
export class DirectAsker implements Asker {
  readonly #call: Call;
  readonly #done = new Map<string, Promise<unknown>>();

  constructor(call: Call) {
    this.#call = call;
  }

  async ask(key: string, { method, params, needs, read }: Question): Promise<unknown> {
    const { revision, capabilities } = this.#call.client;
    const missing = revision.asks.has(method) ? lacking(needs, capabilities) : needs;
    if (missing) throw new Error(`"${key}" was not asked: the client does not declare ${JSON.stringify(missing)}`);
    const answer = await this.#call.request(method, params, { signal: this.#call.signal });
    const value = read(answer);
    if (value === undefined) throw new Error(`The client's answer to "${key}" is not a result of ${method}`);
    return value;
  }

  once<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    const before = this.#done.get(key) as Promise<T> | undefined;
    if (before) return before;
    const running = (async () => await work())();
    this.#done.set(key, running);
    running.catch(() => this.#done.delete(key));
    return running;
  }
}
