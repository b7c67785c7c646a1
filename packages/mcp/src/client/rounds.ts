import type { AnswerContext } from "./answers.ts";

/** What a stateless server answers when it needs input first (basic/patterns/mrtr). */
interface InputRequiredResult {
  readonly inputRequests?: { readonly [key: string]: { readonly method: string; readonly params?: object } };
  readonly requestState?: string;
}

export type Ask = (method: string, params: object | undefined, context: AnswerContext) => Promise<object>;

const kindOf = (result: unknown): unknown => (result as { resultType?: unknown } | null)?.resultType;

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
  send: (more: object) => Promise<unknown>,
  ask: Ask,
  context: AnswerContext,
  limit: number,
): Promise<unknown> {
  let result = first;
  for (let round = 0; round < limit; round++) {
    if (isComplete(result)) return result;
    const kind = kindOf(result);
    if (kind !== "input_required")
      throw new Error(`The server answered with resultType ${JSON.stringify(kind)}, which this client does not know`);
    result = await send(await answersTo(result as InputRequiredResult, ask, context));
  }
  if (isComplete(result)) return result;
  throw new Error(`The server asked for input more than ${limit} times for one request`);
}

async function answersTo(
  { inputRequests, requestState }: InputRequiredResult,
  ask: Ask,
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
