import type { AnswerContext } from "./answers.ts";

/** What a stateless server answers when it needs input first (basic/patterns/mrtr). */
interface InputRequiredResult {
  readonly inputRequests?: { readonly [key: string]: { readonly method: string; readonly params?: object } };
  readonly requestState?: string;
}

/** What it takes to go on. */
interface Means {
  /** Sends the request again, with `more`. */
  readonly send: (more: object) => Promise<unknown>;
  readonly ask: (method: string, params: object | undefined, context: AnswerContext) => Promise<object>;
  readonly isFinal: (result: unknown) => boolean;
}

export const kindOf = (result: unknown): unknown => (result as { resultType?: unknown } | null)?.resultType;

/** Whether the server needs nothing more, as in nearly all cases. */
export function isComplete(result: unknown): boolean {
  const kind = kindOf(result);
  return kind === undefined || kind === "complete";
}

/**
 * Goes on after a first result until the request is done: what the server asks for is answered and the request sent
 * again with the answers, as a new request. The state goes back as it came; without one none is sent.
 */
export async function rounds(
  first: unknown,
  context: AnswerContext,
  limit: number,
  { send, ask, isFinal }: Means,
): Promise<unknown> {
  let result = first;
  for (let round = 0; round < limit; round++) {
    if (isFinal(result)) return result;
    const kind = kindOf(result);
    if (kind !== "input_required")
      throw new Error(`The server answered with resultType ${JSON.stringify(kind)}, which this client does not know`);
    result = await send(await answersTo(result as InputRequiredResult, ask, context));
  }
  if (isFinal(result)) return result;
  throw new Error(`The server asked for input more than ${limit} times for one request`);
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
