import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import type { Call, ServerCore } from "../contract.ts";
import { ASKING, type Asker, type Question } from "./asker.ts";
import { lacking, refused } from "./lacking.ts";
import { canonical } from "./canonical.ts";
import { Seal } from "./seal.ts";

/** What travels with the client between rounds, sealed. */
interface State {
  readonly id: string;
  readonly answers: readonly (readonly [key: string, answer: unknown])[];
  readonly done: readonly (readonly [key: string, value: unknown])[];
  readonly round: number;
}

/**
 * Without a handshake the server sends no requests (basic/patterns/mrtr): the questions are the answer, and the client
 * calls again with what was asked. The handler then starts from the top and finds the answers there.
 */
export class ReplayAsker implements Asker {
  readonly #call: Call;
  readonly #answers = new Map<string, unknown>();
  /** Of the answers those that were asked for. */
  readonly #used = new Set<string>();
  readonly #done = new Map<string, unknown>();
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #questions = new Map<string, Question>();
  readonly #purpose: string;
  #round = 0;

  constructor(call: Call) {
    this.#call = call;
    this.#purpose = purposeOf(call);
  }

  get pending(): (() => Promise<object>) | undefined {
    return this.#questions.size > 0 ? () => this.#inputRequired() : undefined;
  }

  isStop(error: unknown): boolean {
    // Of this call: one that a handler has kept from another is an error like others.
    return this.#questions.size > 0 && error instanceof InputRequired;
  }

  /** Takes in what the client brings back. Throws -32602 when it isn't ours or isn't in order. */
  async restore(): Promise<void> {
    const { inputResponses, requestState } = this.#call.params;
    if (requestState !== undefined) this.#load(await this.#open(requestState));
    if (inputResponses === undefined || inputResponses === null) return;
    if (typeof inputResponses !== "object" || Array.isArray(inputResponses))
      throw new RpcError(INVALID_PARAMS, '"inputResponses" must be an object');
    for (const [key, answer] of Object.entries(inputResponses)) this.#answers.set(key, answer);
  }

  ask(key: string, question: Question): Promise<unknown> {
    if (!ASKING.has(this.#call.method))
      return Promise.reject(new Error(`"${key}" was not asked: ${this.#call.method} can't ask the client for input`));
    const missing = lacking(question, this.#call.client);
    if (missing) return Promise.reject(refused(missing));
    const answer = this.#answers.has(key) ? question.read(this.#answers.get(key)) : undefined;
    if (answer !== undefined) {
      this.#used.add(key);
      return Promise.resolve(answer);
    }
    this.#questions.set(key, question);
    return Promise.reject(new InputRequired(key));
  }

  once<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    if (this.#done.has(key)) return Promise.resolve(this.#done.get(key) as T);
    const before = this.#running.get(key) as Promise<T> | undefined;
    if (before) return before;
    const running = (async () => {
      const value = await work();
      this.#done.set(key, value);
      return value;
    })();
    this.#running.set(key, running);
    running.catch(() => this.#running.delete(key));
    return running;
  }

  async #inputRequired(): Promise<object> {
    const { rounds = 10 } = this.#call.session.server.options.state ?? {};
    if (this.#round >= rounds)
      throw new RpcError(INVALID_PARAMS, `The request was given up after ${rounds} rounds of questions`);
    // What has begun is done once: its value has to travel too.
    await Promise.allSettled(this.#running.values());
    const answers = [...this.#answers].filter(([key]) => this.#used.has(key));
    const state: State = { id: crypto.randomUUID(), answers, done: [...this.#done], round: this.#round + 1 };
    return {
      resultType: "input_required",
      inputRequests: Object.fromEntries(
        [...this.#questions].map(([key, { method, params }]) => [key, { method, params }]),
      ),
      requestState: await sealOf(this.#call.session.server).seal(state, this.#purpose),
    };
  }

  async #open(requestState: unknown): Promise<State> {
    if (typeof requestState !== "string") throw new RpcError(INVALID_PARAMS, '"requestState" must be a string');
    const { server } = this.#call.session;
    const { value, until } = await sealOf(server).open(requestState, this.#purpose);
    const state = value as State;
    const { state: options } = server.options;
    if (options?.claim && !(await options.claim(state.id, until)))
      throw new RpcError(INVALID_PARAMS, "requestState is refused: it was used before; start again without it");
    return state;
  }

  #load({ answers, done, round }: State): void {
    for (const [key, answer] of answers) this.#answers.set(key, answer);
    for (const [key, value] of done) this.#done.set(key, value);
    this.#round = round;
  }
}

/** The caller and the request that a state belongs to. Names that change from round to round are left out. */
function purposeOf({ sent, principal, method }: Call): string {
  const { _meta: _1, inputResponses: _2, requestState: _3, ...own } = sent ?? {};
  return canonical([principal ?? null, method, own]);
}

/** The handler can't go on before the client has answered; it will be started again with the answers. */
class InputRequired extends Error {
  override name = "InputRequired";

  constructor(key: string) {
    super(`The client is asked for "${key}"; this handler starts again with the answer. Let this error pass`);
  }
}

const seals = new WeakMap<ServerCore, Seal>();

/** A server's seal; it has one for as long as it lives. */
function sealOf(server: ServerCore): Seal {
  let seal = seals.get(server);
  if (!seal) seals.set(server, (seal = new Seal(server.options.state)));
  return seal;
}
