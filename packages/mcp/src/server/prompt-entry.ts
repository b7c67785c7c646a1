import type { PromptArgument } from "../model/prompts.ts";
import { compileArguments } from "../schema/compile.ts";
import type { Compiled, JsonSchemaValidator } from "../schema/schema.ts";
import type { AnyPromptHandler, AnyPromptOptions } from "./prompt.ts";

/** A prompt that can be published. */
export interface PromptEntry {
  readonly name: string;
  readonly options: AnyPromptOptions;
  readonly handler: AnyPromptHandler;
  /** Undefined where the arguments are a list. */
  readonly schema: Compiled | undefined;
}

/** Throws a TypeError for a schema that can't be published. */
export function promptEntry(
  name: string,
  options: AnyPromptOptions,
  handler: AnyPromptHandler,
  validator: JsonSchemaValidator | undefined,
): PromptEntry {
  const { arguments: taken = [] } = options;
  const schema = isList(taken) ? undefined : compileArguments(taken, validator);
  return { name, options, handler, schema };
}

const isList = (taken: NonNullable<AnyPromptOptions["arguments"]>): taken is readonly PromptArgument[] =>
  Array.isArray(taken);
