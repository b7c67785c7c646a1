import type { ElicitContent, ElicitFormParams, ElicitResult } from "../model/elicitation.ts";
import type { JsonSchema } from "../model/json.ts";
import { compile } from "../schema/compile.ts";
import { type JsonSchemaValidator, describe } from "../schema/schema.ts";

/** A person's answer to a form, with the form's defaults. Throws a TypeError for what doesn't fit (client/elicitation). */
export async function filledIn(
  { requestedSchema }: ElicitFormParams,
  { action, content }: ElicitResult,
  validator: JsonSchemaValidator | undefined,
): Promise<ElicitResult> {
  if (action !== "accept") return { action };
  const fields = Object.entries((requestedSchema["properties"] ?? {}) as { readonly [name: string]: JsonSchema });
  const defaults = fields.flatMap(([name, field]) => ("default" in field ? [[name, field["default"]] as const] : []));
  const whole = { ...Object.fromEntries(defaults), ...content } as ElicitContent;
  const { issues } = await compile(requestedSchema, "input", validator).validate(whole);
  if (issues) throw new TypeError(`"elicit" answered with what does not fit the form: ${describe(issues)}`);
  return { action, content: whole };
}
