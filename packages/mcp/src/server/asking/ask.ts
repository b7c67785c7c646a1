import type { ClientCapabilities } from "../../model/capabilities.ts";
import type { ElicitContent, ElicitResult } from "../../model/elicitation.ts";
import type { ListRootsResult, Root } from "../../model/roots.ts";
import type { CreateMessageParams, CreateMessageResult } from "../../model/sampling.ts";
import type { OutputOf, Schema } from "../../schema/compile.ts";
import type { JsonSchemaValidator } from "../../schema/schema.ts";
import type { Elicited, Visited } from "../context.ts";
import type { Asker } from "./asker.ts";
import { formOf } from "./form.ts";
import { formQuestion, rootsQuestion, samplingQuestion, urlQuestion } from "./questions.ts";

/** What handlers ask with; see McpContext. Loaded when one of them does: most calls never ask. */

export async function elicit<S extends Schema>(
  asker: Asker,
  key: string,
  { message, schema }: { readonly message: string; readonly schema: S },
  validator: JsonSchemaValidator | undefined,
): Promise<Elicited<OutputOf<S, ElicitContent>>> {
  const form = formOf(schema, validator);
  const { action, content } = (await asker.ask(key, formQuestion(message, form.requestedSchema))) as ElicitResult;
  if (action !== "accept") return { accepted: false, action };
  return { accepted: true, action, content: (await form.read(key, content)) as OutputOf<S, ElicitContent> };
}

export async function elicitUrl(
  asker: Asker,
  key: string,
  { message, url }: { readonly message: string; readonly url: string },
): Promise<Visited> {
  if (!URL.canParse(url)) throw new TypeError(`elicitUrl: ${JSON.stringify(url)} is no URL`);
  const elicitationId = crypto.randomUUID();
  const { action } = (await asker.ask(key, urlQuestion(message, url, elicitationId))) as ElicitResult;
  if (action !== "accept") return { accepted: false, action };
  const completed = async (): Promise<void> =>
    await asker.tell?.("notifications/elicitation/complete", { elicitationId });
  return { accepted: true, action, completed };
}

/** Context of servers is not asked of a client that doesn't say it has any: "none" is what it would take it for. */
export async function sample(
  asker: Asker,
  key: string,
  { includeContext, ...params }: CreateMessageParams,
  { sampling }: ClientCapabilities,
): Promise<CreateMessageResult> {
  const whole = { ...params, ...(includeContext && sampling?.context && { includeContext }) };
  return (await asker.ask(key, samplingQuestion(whole))) as CreateMessageResult;
}

export async function listRoots(asker: Asker): Promise<readonly Root[]> {
  return ((await asker.ask("roots", rootsQuestion)) as ListRootsResult).roots;
}
