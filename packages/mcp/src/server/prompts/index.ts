import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import type { JsonSchema } from "../../model/json.ts";
import type { GetPromptResult, Prompt, PromptArgument } from "../../model/prompts.ts";
import { type Outcome, describe } from "../../schema/schema.ts";
import type { Completable } from "../complete.ts";
import type { Call, Methods } from "../contract.ts";
import { List } from "../list.ts";
import type { PromptEntry } from "../prompt-entry.ts";
import type { AnyPromptOptions } from "../prompt.ts";
import type { Registry } from "../registry.ts";
import { promptResult } from "./result.ts";

type Prompted = Pick<Registry<never, never, PromptEntry>, "state" | "get" | "entries">;

/** Lists and gets the prompts of one server. */
export class Prompts {
  readonly methods: Methods = {
    "prompts/list": (call) => this.#list.page(call),
    "prompts/get": (call) => this.#get(call),
  };
  readonly #registry: Prompted;
  readonly #list: List<PromptEntry, Prompt>;

  constructor(registry: Prompted, pageSize: number | undefined) {
    this.#registry = registry;
    this.#list = new List({ key: "prompts", source: registry, show: definitionOf, pageSize });
  }

  completable(name: string): Completable | undefined {
    const entry = this.#registry.get(name);
    return entry && { names: argumentsOf(entry).map((each) => each.name), complete: entry.options.complete };
  }

  async #get(call: Call): Promise<GetPromptResult> {
    const { name, arguments: args = {} } = call.params;
    if (typeof name !== "string") throw new RpcError(INVALID_PARAMS, `prompts/get: "name" must be a string`);
    const entry = this.#registry.get(name);
    if (!entry) throw new RpcError(INVALID_PARAMS, `Unknown prompt: "${name}"`);
    if (!isStrings(args))
      throw new RpcError(INVALID_PARAMS, `prompt "${name}": "arguments" must be an object of strings`);
    const outcome = await (entry.schema ? entry.schema.validate(args) : listed(argumentsOf(entry), args));
    if (outcome.issues)
      throw new RpcError(INVALID_PARAMS, `Invalid arguments for prompt "${name}": ${describe(outcome.issues)}`);
    return promptResult(await entry.handler(outcome.value as never, call), name);
  }
}

function definitionOf(entry: PromptEntry): Prompt {
  const { arguments: _arguments, complete: _complete, ...facts } = entry.options;
  const list = argumentsOf(entry);
  return { name: entry.name, ...facts, ...(list.length > 0 && { arguments: list }) };
}

const argumentsOf = ({ schema, options }: PromptEntry): readonly PromptArgument[] =>
  schema ? listOf(schema.json) : ((options.arguments ?? []) as Listed);

type Listed = Extract<AnyPromptOptions["arguments"], readonly PromptArgument[]>;

interface ObjectSchema {
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
}

const listOf = ({ properties = {}, required = [] }: ObjectSchema): readonly PromptArgument[] =>
  Object.entries(properties).map(([name, { title, description }]) => ({
    name,
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    required: required.includes(name),
  }));

type Strings = { readonly [name: string]: string };

const isStrings = (args: unknown): args is Strings =>
  typeof args === "object" &&
  args !== null &&
  !Array.isArray(args) &&
  Object.values(args).every((value) => typeof value === "string");

/** Arguments that are not in the list don't reach the handler. */
function listed(list: readonly PromptArgument[], args: Strings): Outcome {
  const given = list.filter(({ name }) => Object.hasOwn(args, name));
  const missing = list.filter((argument) => argument.required && !given.includes(argument));
  if (missing.length > 0) return { issues: missing.map(({ name }) => ({ message: "is required", path: [name] })) };
  return { value: Object.fromEntries(given.map(({ name }) => [name, args[name]])) };
}
