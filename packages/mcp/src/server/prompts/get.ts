import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import type { GetPromptResult, PromptArgument } from "../../model/prompts.ts";
import { type Outcome, describe } from "../../schema/schema.ts";
import type { Call } from "../contract.ts";
import type { PromptEntry } from "../prompt-entry.ts";
import { promptResult } from "./result.ts";

/** prompts/get */
export async function getPrompt(call: Call, find: (name: string) => PromptEntry | undefined): Promise<GetPromptResult> {
  const { name, arguments: args = {} } = call.params;
  if (typeof name !== "string") throw new RpcError(INVALID_PARAMS, `prompts/get: "name" must be a string`);
  const entry = find(name);
  if (!entry) throw new RpcError(INVALID_PARAMS, `Unknown prompt: "${name}"`);
  if (!isStrings(args))
    throw new RpcError(INVALID_PARAMS, `prompt "${name}": "arguments" must be an object of strings`);
  const { definition, handler, validate = (given) => listed(definition.arguments, given as Strings) } = entry;
  const outcome = await validate(args);
  if (outcome.issues)
    throw new RpcError(INVALID_PARAMS, `Invalid arguments for prompt "${name}": ${describe(outcome.issues)}`);
  return promptResult(await handler(outcome.value as never, call), name);
}

type Strings = { readonly [name: string]: string };

const isStrings = (args: unknown): args is Strings =>
  typeof args === "object" &&
  args !== null &&
  !Array.isArray(args) &&
  Object.values(args).every((value) => typeof value === "string");

/** Arguments that are not in the list don't reach the handler. */
function listed(list: readonly PromptArgument[] = [], args: Strings): Outcome {
  const given = list.filter(({ name }) => Object.hasOwn(args, name));
  const missing = list.filter((argument) => argument.required && !given.includes(argument));
  if (missing.length > 0) return { issues: missing.map(({ name }) => ({ message: "is required", path: [name] })) };
  return { value: Object.fromEntries(given.map(({ name }) => [name, args[name]])) };
}
