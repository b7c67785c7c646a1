import type { ElicitAction, ElicitFormParams, ElicitParams } from "../../model/elicitation.ts";
import type { JsonSchema } from "../../model/json.ts";
import type { Revision } from "../../revisions/index.ts";
import type { Question } from "./asker.ts";
import type { CreateMessageParams } from "../../model/sampling.ts";
import { isSampled, samplingFault } from "../../sampling.ts";
import { plainForm } from "./plain-form.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isRoot = (root: unknown): boolean => isObject(root) && typeof root["uri"] === "string";

const ACTIONS: readonly unknown[] = ["accept", "decline", "cancel"] satisfies ElicitAction[];

/** A question's parameters where it is a request of its own, as a revision has them. */
export function directly({ method, params, named }: Question, { modes }: Revision): object {
  if (method === "elicitation/create" && !modes) return plainForm(params as ElicitFormParams);
  return named ? { ...params, ...named } : params;
}

/** A form (client/elicitation). */
export const formQuestion = (message: string, requestedSchema: JsonSchema): Question => ({
  method: "elicitation/create",
  params: { mode: "form", message, requestedSchema } satisfies ElicitParams,
  needs: { elicitation: { form: {} } },
  read: (answer) => (isObject(answer) && ACTIONS.includes(answer["action"]) ? answer : undefined),
});

/** An address to open. `elicitationId` is what a client hears of once it is done, after a handshake. */
export const urlQuestion = (message: string, url: string, elicitationId: string): Question => ({
  method: "elicitation/create",
  params: { mode: "url", message, url } satisfies ElicitParams,
  named: { elicitationId },
  needs: { elicitation: { url: {} } },
  read: (answer) => (isObject(answer) && ACTIONS.includes(answer["action"]) ? answer : undefined),
});

/** A message from the client's model (client/sampling). Throws a TypeError for what no client would take. */
export function samplingQuestion(params: CreateMessageParams): Question {
  const fault = samplingFault(params);
  if (fault !== undefined) throw new TypeError(`sample: ${fault}`);
  const withTools = params.tools !== undefined || params.toolChoice !== undefined;
  return {
    method: "sampling/createMessage",
    params,
    needs: { sampling: withTools ? { tools: {} } : {} },
    read: (answer) => (isSampled(answer, withTools) ? answer : undefined),
  };
}

/** The client's roots (client/roots). */
export const rootsQuestion: Question = {
  method: "roots/list",
  params: {},
  needs: { roots: {} },
  read: (answer) =>
    isObject(answer) && Array.isArray(answer["roots"]) && answer["roots"].every(isRoot) ? answer : undefined,
};
