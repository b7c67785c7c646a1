import type { ElicitContent, ElicitResult } from "../../model/elicitation.ts";
import type { ListRootsResult, Root } from "../../model/roots.ts";
import type { CreateMessageParams, CreateMessageResult } from "../../model/sampling.ts";
import type { OutputOf, Schema } from "../../schema/compile.ts";
import type { Elicited, Visited } from "../context.ts";
import type { Call } from "../contract.ts";
import { formOf } from "./form.ts";
import { formQuestion, rootsQuestion, samplingQuestion, urlQuestion } from "./questions.ts";

/** What handlers ask with; see McpContext. Loaded when one of them does: most calls never ask. */

export async function elicit<S extends Schema>(
  call: Call,
  key: string,
  { message, schema }: { readonly message: string; readonly schema: S },
): Promise<Elicited<OutputOf<S, ElicitContent>>> {
  const asker = await call.asker();
  const form = formOf(schema, call.session.server.options.validator);
  const { action, content } = (await asker.ask(key, formQuestion(message, form.requestedSchema))) as ElicitResult;
  if (action !== "accept") return { accepted: false, action };
  return { accepted: true, action, content: (await form.read(key, content)) as OutputOf<S, ElicitContent> };
}

export async function elicitUrl(
  call: Call,
  key: string,
  { message, url }: { readonly message: string; readonly url: string },
): Promise<Visited> {
  const asker = await call.asker();
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
  call: Call,
  key: string,
  { includeContext, ...params }: CreateMessageParams,
): Promise<CreateMessageResult> {
  const asker = await call.asker();
  const { sampling } = call.client.capabilities;
  const whole = { ...params, ...(includeContext && sampling?.context && { includeContext }) };
  return (await asker.ask(key, samplingQuestion(whole))) as CreateMessageResult;
}

export async function listRoots(call: Call): Promise<readonly Root[]> {
  return ((await (await call.asker()).ask("roots", rootsQuestion)) as ListRootsResult).roots;
}

export async function once<T>(call: Call, key: string, work: () => T | Promise<T>): Promise<T> {
  return await (await call.asker()).once(key, work);
}
