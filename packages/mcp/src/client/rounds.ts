import type { AnswerContext } from "./answers.ts";
import { Patience } from "./patience.ts";
import type { RequestOptions } from "./requester.ts";
import { kindOf } from "./result-type.ts";

/** What a stateless server answers when it needs input first (basic/patterns/mrtr). */
interface InputRequiredResult {
  readonly inputRequests?: { readonly [key: string]: { readonly method: string; readonly params?: object } };
  readonly requestState?: string;
}

/** What it takes to go on. */
interface Means {
  /** Sends the request again, with `more`. */
  readonly send: (more: object, options: RequestOptions) => Promise<unknown>;
  readonly ask: (method: string, params: object | undefined, context: AnswerContext) => Promise<object>;
  readonly isFinal: (result: unknown) => boolean;
}

/** How often one request may come back with questions. */
const MAX_ROUNDS = 10;

/** A request that has to be sent again. */
export interface Sent {
  readonly method: string;
  readonly options: RequestOptions;
  /** ms of `performance.now()`. */
  readonly start: number;
}

/**
 * Goes on after a first result until the request is done: what the server asks for is answered and the request sent
 * again with the answers, as a new request. The state goes back as it came; without one none is sent.
 */
export async function rounds(first: unknown, { method, options, start }: Sent, means: Means): Promise<unknown> {
  const { signal, maxTotalTimeout } = options;
  const patience = new Patience(method, { signal, timeout: maxTotalTimeout }, start);
  try {
    return await patience.over(answered(first, { ...options, signal: patience.signal }, means), () => {});
  } catch (error) {
    // Where one of several questions fails the others need no answer.
    patience.giveUp(error);
    throw error;
  } finally {
    patience.end();
  }
}

async function answered(
  first: unknown,
  options: RequestOptions & AnswerContext,
  { send, ask, isFinal }: Means,
): Promise<unknown> {
  let result = first;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (isFinal(result)) return result;
    const kind = kindOf(result);
    if (kind !== "input_required")
      throw new Error(`The server answered with resultType ${JSON.stringify(kind)}, which this client does not know`);
    const more = await answersTo(result as InputRequiredResult, ask, { signal: options.signal });
    result = await send(more, options);
  }
  if (isFinal(result)) return result;
  throw new Error(`The server asked for input more than ${MAX_ROUNDS} times for one request`);
}

async function answersTo(
  { inputRequests, requestState }: InputRequiredResult,
  ask: Means["ask"],
  context: AnswerContext,
): Promise<object> {
  const questions = Object.entries(inputRequests ?? {});
  const answers = await Promise.all(
    questions.map(async ([key, { method, params }]) => [key, await ask(method, params, context)] as const),
  );
  return {
    ...(inputRequests === undefined ? undefined : { inputResponses: Object.fromEntries(answers) }),
    ...(requestState === undefined ? undefined : { requestState }),
  };
}
