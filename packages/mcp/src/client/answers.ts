import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from "@x/jsonrpc";
import type { ClientCapabilities } from "../model/capabilities.ts";
import type { ElicitFormParams, ElicitResult, ElicitUrlParams } from "../model/elicitation.ts";
import type { Root } from "../model/roots.ts";
import type { CreateMessageParams, CreateMessageResult } from "../model/sampling.ts";
import type { JsonSchemaValidator } from "../schema/schema.ts";
import { isSampled, samplingFault, usesTool } from "../sampling.ts";
import { filledIn } from "./form.ts";

/** What an answer is given with. */
export interface AnswerContext {
  /** Aborted when the server, or the caller whose call led to the question, gives up. */
  readonly signal: AbortSignal;
}

type Answer<Params, Result> = (params: Params, context: AnswerContext) => Result | Promise<Result>;

/** What this client does when a server asks. Each one that is there is declared as a capability. */
export interface Answers {
  /** Shows a form to a person. What is left out of the content gets the form's defaults; what doesn't fit rejects. */
  readonly elicit?: Answer<ElicitFormParams, ElicitResult> | undefined;
  /** Checks forms, and what tools answer, instead of ajv, which needs `new Function`. */
  readonly validator?: JsonSchemaValidator | undefined;
  /** Shows an address to a person and opens it with their consent. */
  readonly elicitUrl?: Answer<ElicitUrlParams, ElicitResult> | undefined;
  /** Asks the client's model. `sampleTools` says that it can be given tools. */
  readonly sample?: Answer<CreateMessageParams, CreateMessageResult> | undefined;
  readonly sampleTools?: boolean | undefined;
  /** The places that servers may work in. */
  readonly roots?:
    | readonly Root[]
    | ((context: AnswerContext) => readonly Root[] | Promise<readonly Root[]>)
    | undefined;
}

/** The capabilities that follow from the answers, and what is declared besides. */
export function capabilitiesOf(
  { elicit, elicitUrl, sample, sampleTools, roots }: Answers,
  more: ClientCapabilities = {},
): ClientCapabilities {
  return {
    ...((elicit || elicitUrl) && { elicitation: { ...(elicit && { form: {} }), ...(elicitUrl && { url: {} }) } }),
    ...(sample && { sampling: sampleTools ? { tools: {} } : {} }),
    ...(roots && { roots: {} }),
    ...more,
  };
}

/** Answers one question of a server, whichever way it came. Throws the RpcError that says why not. */
export async function answer(
  answers: Answers,
  method: string,
  params: unknown,
  context: AnswerContext,
): Promise<object> {
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
  roots.forEach(checkRoot);
  return { roots };
}

/** Throws a TypeError for roots that no server may see, as far as they are known beforehand. */
export function checkRoots({ roots }: Answers): void {
  if (typeof roots === "object") roots.forEach(checkRoot);
}

/** A file: URI that says where it is: no way leads out of it. Throws a TypeError. */
function checkRoot({ uri }: Root): void {
  if (!/^file:\/\//i.test(uri) || /(^|[/\\])(\.|%2e){2}([/\\]|%2f|%5c|$)/i.test(uri))
    throw new TypeError(`a root is a file: URI without "..", got ${JSON.stringify(uri)}`);
}
