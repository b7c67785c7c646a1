import type { JsonSchema } from "../model/json.ts";
import type { Prompt, PromptArgument } from "../model/prompts.ts";
import { compile } from "../schema/compile.ts";
import type { JsonSchemaValidator, Validate } from "../schema/schema.ts";
import type { Completable } from "./complete.ts";
import type { AnyPromptHandler, AnyPromptOptions } from "./prompt.ts";

/** A prompt ready for use. */
export interface PromptEntry extends Completable {
  readonly definition: Prompt;
  /** Undefined where the arguments are a list and no schema. */
  readonly validate: Validate | undefined;
  readonly handler: AnyPromptHandler;
}

/** Throws a TypeError for a schema that can't be published. */
export function promptEntry(
  name: string,
  { arguments: taken = [], complete, ...facts }: AnyPromptOptions,
  handler: AnyPromptHandler,
  validator: JsonSchemaValidator | undefined,
): PromptEntry {
  const compiled = isList(taken) ? undefined : compile(taken, "input", validator);
  const list = isList(taken) ? taken : listOf(compiled?.json ?? {});
  const definition = { name, ...facts, ...(list.length > 0 && { arguments: list }) };
  return { definition, validate: compiled?.validate, handler, complete, names: list.map((each) => each.name) };
}

const isList = (taken: NonNullable<AnyPromptOptions["arguments"]>): taken is readonly PromptArgument[] =>
  Array.isArray(taken);

interface ObjectSchema {
  readonly type?: unknown;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
}

function listOf({ type, properties = {}, required = [] }: ObjectSchema): readonly PromptArgument[] {
  if (type !== "object") throw new TypeError('the schema of its arguments must have "type": "object"');
  return Object.entries(properties).map(([name, { title, description }]) => ({
    name,
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    required: required.includes(name),
  }));
}
