import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import { after } from "../after.ts";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { JsonSchema } from "../model/json.ts";
import type { Prompt, PromptArgument } from "../model/prompts.ts";
import { type Schema, compile } from "../schema/compile.ts";
import { type JsonSchemaValidator, type Validate, describe } from "../schema/schema.ts";
import type { Completable } from "./complete.ts";
import type { Call } from "./contract.ts";
import type { Feature, FeatureOptions } from "./feature.ts";
import { List } from "./list.ts";
import { promptResult } from "./prompt-result.ts";
import type { AnyPromptHandler, AnyPromptOptions, PromptRegistration } from "./prompt.ts";
import { Registry } from "./registry.ts";

interface Entry extends Completable {
  readonly definition: Prompt;
  readonly validate: Validate;
  readonly handler: AnyPromptHandler;
}

/** prompts/list and prompts/get (server/prompts). */
export class Prompts implements Feature {
  readonly methods = {
    "prompts/list": (call: Call): object => this.#list.page(call),
    "prompts/get": (call: Call): unknown => this.#get(call),
  };
  readonly #prompts: Registry<AnyPromptOptions, AnyPromptHandler, Entry>;
  readonly #list: List<Prompt>;

  constructor(options: FeatureOptions) {
    this.#list = new List("prompts", () => this.#prompts.entries().map(({ definition }) => definition), options);
    this.#prompts = new Registry({
      kind: "prompt",
      make: (name, own, handler) => {
        if (own.complete) options.completes();
        return entryOf(name, own, handler, options.validator);
      },
      changed: () => {
        this.#list.changed();
        options.changed();
      },
    });
  }

  capabilities(): ServerCapabilities {
    return { prompts: { listChanged: true } };
  }

  /** Throws a TypeError that names the prompt when it can't be published. */
  add(name: string, options: AnyPromptOptions, handler: AnyPromptHandler): PromptRegistration {
    return { name, ...this.#prompts.add(name, options, handler) };
  }

  completable(name: string): Completable | undefined {
    return this.#prompts.get(name);
  }

  #get(call: Call): unknown {
    const { name, arguments: args = {} } = call.params;
    if (typeof name !== "string") throw new RpcError(INVALID_PARAMS, `prompts/get: "name" must be a string`);
    const entry = this.#prompts.get(name);
    if (!entry) throw new RpcError(INVALID_PARAMS, `Unknown prompt: "${name}"`);
    if (typeof args !== "object" || args === null || !Object.values(args).every((value) => typeof value === "string"))
      throw new RpcError(INVALID_PARAMS, `prompt "${name}": "arguments" must be an object of strings`);
    return after(entry.validate(args), (outcome) => {
      if (outcome.issues)
        throw new RpcError(INVALID_PARAMS, `Invalid arguments for prompt "${name}": ${describe(outcome.issues)}`);
      return after(entry.handler(outcome.value as never, call), (returned) => promptResult(returned, name));
    });
  }
}

function entryOf(
  name: string,
  { arguments: taken, complete, ...facts }: AnyPromptOptions,
  handler: AnyPromptHandler,
  validator: JsonSchemaValidator | undefined,
): Entry {
  const { list, validate } = isList(taken) ? fromList(taken) : fromSchema(taken, validator);
  const definition = { name, ...facts, ...(list.length > 0 && { arguments: list }) };
  return { definition, validate, handler, complete, names: list.map((argument) => argument.name) };
}

const isList = (
  taken: Schema | readonly PromptArgument[] | undefined,
): taken is readonly PromptArgument[] | undefined => taken === undefined || Array.isArray(taken);

interface Arguments {
  readonly list: readonly PromptArgument[];
  readonly validate: Validate;
}

/** Arguments that are not in the list don't reach the handler. */
function fromList(list: readonly PromptArgument[] = []): Arguments {
  return {
    list,
    validate: (args) => {
      const given = list.filter(({ name }) => Object.hasOwn(args as object, name));
      const missing = list.filter((argument) => argument.required && !given.includes(argument));
      if (missing.length > 0) return { issues: missing.map(({ name }) => ({ message: "is required", path: [name] })) };
      return { value: Object.fromEntries(given.map(({ name }) => [name, (args as Record<string, unknown>)[name]])) };
    },
  };
}

function fromSchema(schema: Schema, validator: JsonSchemaValidator | undefined): Arguments {
  const { json, validate } = compile(schema, "input", validator);
  const { type, properties = {}, required = [] } = json as { readonly [keyword: string]: never };
  if (type !== "object") throw new TypeError('the schema of its arguments must have "type": "object"');
  const list = Object.entries(properties as { readonly [name: string]: JsonSchema }).map(
    ([name, { title, description }]) => ({
      name,
      ...(title === undefined ? undefined : { title: String(title) }),
      ...(description === undefined ? undefined : { description: String(description) }),
      required: (required as readonly string[]).includes(name),
    }),
  );
  return { list, validate };
}
