import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from "@x/jsonrpc";
import type { ElicitFormParams, ElicitResult, ElicitUrlParams } from "../model/elicitation.ts";
import type { Root } from "../model/roots.ts";
import type { CreateMessageParams, CreateMessageResult } from "../model/sampling.ts";
import { isSampled, samplingFault, usesTool } from "../sampling.ts";
import type { AnswerContext, Answers } from "./answers.ts";
import { filledIn } from "./form.ts";
import { checkRoots } from "./roots.ts";

/** Answers one question of a server, whichever way it came. Throws the RpcError that says why not. */
export async function answer(
  answers: Answers,
  method: string,
  params: unknown,
  context: AnswerContext,
): Promise<object> {
  // A dialog that is opened for a question which was given up meanwhile would never hear of that.
  context.signal.throwIfAborted();
  switch (method) {
    case "elicitation/create":
      return await elicitation(answers, params, context);
    case "sampling/createMessage":
      return await sampling(answers, params as CreateMessageParams, context);
    case "roots/list":
      return await listRoots(answers, context);
    default:
      throw new RpcError(METHOD_NOT_FOUND, `Method not found: "${method}"`);
  }
}

async function elicitation(
  { elicit, elicitUrl, validator }: Answers,
  params: unknown,
  context: AnswerContext,
): Promise<ElicitResult> {
  const { mode = "form" } = (params ?? {}) as { mode?: unknown };
  if (mode === "url" && elicitUrl) return await elicitUrl(visitIn(params), context);
  if (mode !== "form" || !elicit)
    throw new RpcError(INVALID_PARAMS, `This client does not declare elicitation in mode ${JSON.stringify(mode)}`);
  const form = params as ElicitFormParams;
  if (typeof form?.requestedSchema?.["properties"] !== "object")
    throw new RpcError(INVALID_PARAMS, 'elicitation/create: "requestedSchema" must be an object with properties');
  if (typeof form.message !== "string") throw withoutMessage();
  return await filledIn(form, await elicit(form, context), validator);
}

function visitIn(params: unknown): ElicitUrlParams {
  const { url, message } = params as Partial<ElicitUrlParams>;
  if (typeof message !== "string") throw withoutMessage();
  if (typeof url === "string" && URL.canParse(url)) return params as ElicitUrlParams;
  throw new RpcError(INVALID_PARAMS, `elicitation/create: ${JSON.stringify(url)} is no URL`);
}

const withoutMessage = (): RpcError => new RpcError(INVALID_PARAMS, 'elicitation/create: "message" must be a string');

async function sampling(
  { sample, sampleTools }: Answers,
  params: CreateMessageParams,
  context: AnswerContext,
): Promise<CreateMessageResult> {
  if (!sample) throw new RpcError(METHOD_NOT_FOUND, 'Method not found: this client does not declare "sampling"');
  if (!sampleTools && (params.tools || params.toolChoice))
    throw new RpcError(INVALID_PARAMS, 'This client does not declare "sampling.tools"');
  const fault = samplingFault(params);
  if (fault !== undefined) throw new RpcError(INVALID_PARAMS, `sampling/createMessage: ${fault}`);
  return keptTo(params, await sample(params, context));
}

/** What a model may say. Throws a TypeError for anything else, which never leaves. */
function keptTo({ tools, toolChoice }: CreateMessageParams, result: CreateMessageResult): CreateMessageResult {
  const { mode = "auto" } = toolChoice ?? {};
  if (!isSampled(result, tools !== undefined || toolChoice !== undefined))
    throw new TypeError('"sample" must give a message: role, content and model');
  if ((mode === "required" && !usesTool(result)) || (mode === "none" && usesTool(result)))
    throw new TypeError(`"sample" was asked for toolChoice ${JSON.stringify(mode)}`);
  return result;
}

async function listRoots({ roots: given }: Answers, context: AnswerContext): Promise<{ roots: readonly Root[] }> {
  if (!given) throw new RpcError(METHOD_NOT_FOUND, 'Method not found: this client does not declare "roots"');
  const roots = typeof given === "function" ? await given(context) : given;
  checkRoots(roots);
  return { roots };
}
