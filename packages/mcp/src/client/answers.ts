import type { ClientCapabilities } from "../model/capabilities.ts";
import type { ElicitFormParams, ElicitResult, ElicitUrlParams } from "../model/elicitation.ts";
import type { Root } from "../model/roots.ts";
import type { CreateMessageParams, CreateMessageResult } from "../model/sampling.ts";
import type { JsonSchemaValidator } from "../schema/schema.ts";

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
