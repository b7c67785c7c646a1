import type { ElicitAction, ElicitParams } from "../../model/elicitation.ts";
import type { JsonSchema } from "../../model/json.ts";
import type { Question } from "./asker.ts";
import type { CreateMessageParams } from "../../model/sampling.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const ACTIONS: readonly unknown[] = ["accept", "decline", "cancel"] satisfies ElicitAction[];

/** A form (client/elicitation). */
export const formQuestion = (message: string, requestedSchema: JsonSchema): Question => ({
  method: "elicitation/create",
  params: { mode: "form", message, requestedSchema } satisfies ElicitParams,
  needs: { elicitation: {} },
  read: (answer) => (isObject(answer) && ACTIONS.includes(answer["action"]) ? answer : undefined),
});

/** An address to open. `elicitationId` is what 2025-11-25 needs to tell when it is done. */
export const urlQuestion = (message: string, url: string, elicitationId: string | undefined): Question => ({
  method: "elicitation/create",
  params: {
    mode: "url",
    message,
    url,
    ...(elicitationId === undefined ? undefined : { elicitationId }),
  } satisfies ElicitParams,
  needs: { elicitation: { url: {} } },
  read: (answer) => (isObject(answer) && ACTIONS.includes(answer["action"]) ? answer : undefined),
});

/** A message from the client's model (client/sampling). */
export const samplingQuestion = (params: CreateMessageParams): Question => ({
  method: "sampling/createMessage",
  params,
  needs: { sampling: params.tools || params.toolChoice ? { tools: {} } : {} },
  read: (answer) =>
    isObject(answer) &&
    typeof answer["role"] === "string" &&
    typeof answer["content"] === "object" &&
    answer["content"] !== null
      ? answer
      : undefined,
});

/** The client's roots (client/roots). */
export const rootsQuestion: Question = {
  method: "roots/list",
  params: {},
  needs: { roots: {} },
  read: (answer) => (isObject(answer) && Array.isArray(answer["roots"]) ? answer : undefined),
};
