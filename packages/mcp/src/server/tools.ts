import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from "@x/jsonrpc";
import { after } from "../after.ts";
import { URL_ELICITATION_REQUIRED, type UrlElicitationRequiredError } from "../errors.ts";
import { type MirroredParameter, mirroredParameters } from "../http/mirror.ts";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { CallToolResult, Tool } from "../model/tools.ts";
import type { Revision } from "../revisions/index.ts";
import { type Compiled, type JsonSchemaValidator, describe } from "../schema/schema.ts";
import { compile } from "../schema/compile.ts";
import { InputRequired } from "./asking/asker.ts";
import type { Call } from "./contract.ts";
import type { TaskUse } from "./tasks/use.ts";
import type { TasksFeature } from "./tasks-feature.ts";
import type { Feature, FeatureOptions } from "./feature.ts";
import { List } from "./list.ts";
import { asObjectResult, asObjectSchema } from "./object-output.ts";
import { Registry } from "./registry.ts";
import { type AnyToolOptions, type AnyToolHandler, type ToolRegistration } from "./tool.ts";
import { errorResult, resultOf } from "./tool-result.ts";

interface Entry {
  readonly definition: Tool;
  readonly input: Compiled | undefined;
  readonly output: Compiled | undefined;
  readonly handler: AnyToolHandler;
  readonly task: TaskUse | undefined;
  readonly mirrored: readonly MirroredParameter[];
}

export interface ToolsOptions extends FeatureOptions {
  /** The server's tasks, if it has any. */
  readonly tasks?: () => TasksFeature | undefined;
}

/** tools/list and tools/call (server/tools). */
export class Tools implements Feature {
  readonly methods = {
    "tools/list": (call: Call): object => this.#list.page(call),
    "tools/call": (call: Call): unknown => this.#call(call),
  };
  readonly #options: ToolsOptions;
  readonly #tools: Registry<AnyToolOptions, AnyToolHandler, Entry>;
  readonly #list: List<Tool>;

  constructor(options: ToolsOptions) {
    this.#options = options;
    this.#list = new List("tools", (revision) => this.#tools.entries().map((entry) => shown(entry, revision)), options);
    this.#tools = new Registry({
      kind: "tool",
      make: (name, toolOptions, handler) => entryOf(name, toolOptions, handler, options.validator),
      changed: () => {
        this.#list.changed();
        options.changed();
      },
    });
  }

  capabilities(): ServerCapabilities {
    return { tools: { listChanged: this.#options.listChanged } };
  }

  /** Throws a TypeError that names the tool when it can't be published. */
  add(name: string, options: AnyToolOptions, handler: AnyToolHandler): ToolRegistration {
    return { name, ...this.#tools.add(name, options, handler) };
  }

  /** The parameters of a tool that are mirrored into HTTP headers. */
  mirrored(name: string): readonly MirroredParameter[] | undefined {
    return this.#tools.get(name)?.mirrored;
  }

  #call(call: Call): unknown {
    const { name, arguments: args = {} } = call.params;
    if (typeof name !== "string") throw new RpcError(INVALID_PARAMS, `tools/call: "name" must be a string`);
    if (typeof args !== "object" || args === null || Array.isArray(args))
      throw new RpcError(INVALID_PARAMS, `tool "${name}": "arguments" must be an object`);
    const entry = this.#tools.get(name);
    if (!entry) throw new RpcError(INVALID_PARAMS, `Unknown tool: "${name}"`);
    if (
      call.params["task"] !== undefined &&
      !entry.task &&
      this.#options.tasks?.() &&
      call.client.revision.tasks === "augmented"
    )
      throw new RpcError(METHOD_NOT_FOUND, `tool "${name}" can't be called as a task`);
    if (!entry.input) return this.#run(entry, args, call);
    return after(entry.input.validate(args), (outcome) =>
      outcome.issues
        ? errorResult(`Invalid arguments for tool "${name}": ${describe(outcome.issues)}`)
        : this.#run(entry, outcome.value, call),
    );
  }

  #run(entry: Entry, args: unknown, call: Call): object | PromiseLike<object> {
    const tasks = entry.task && this.#options.tasks?.();
    return tasks ? tasks.run(call, entry.task, () => run(entry, args, call)) : run(entry, args, call);
  }
}

function entryOf(
  name: string,
  { input, output, task, ...facts }: AnyToolOptions,
  handler: AnyToolHandler,
  validator: JsonSchemaValidator | undefined,
): Entry {
  checkName(name);
  const compiledInput = input === undefined ? undefined : compile(input, "input", validator);
  const compiledOutput = output === undefined ? undefined : compile(output, "output", validator);
  const inputSchema = compiledInput?.json ?? { type: "object" };
  if (inputSchema["type"] !== "object") throw new TypeError('its input schema must have "type": "object"');
  const definition = { name, ...facts, inputSchema, ...(compiledOutput && { outputSchema: compiledOutput.json }) };
  const mirrored = mirroredParameters(inputSchema);
  return { definition: definition as Tool, input: compiledInput, output: compiledOutput, handler, task, mirrored };
}

/** A tool's definition as a revision has it. Whether it can be a task is said only where the client decides. */
function shown({ definition, task }: Entry, { tasks, objectOutput }: Revision): Tool {
  const { outputSchema } = definition;
  return {
    ...definition,
    ...(outputSchema && objectOutput && { outputSchema: asObjectSchema(outputSchema) }),
    ...(task && tasks === "augmented" && { execution: { taskSupport: task } }),
  };
}

/** What a tool throws is for the model to read; only an RpcError is an error of the call itself. */
function run(entry: Entry, args: unknown, call: Call): CallToolResult | PromiseLike<CallToolResult> {
  const failed = (error: unknown): CallToolResult => {
    if (isRefused(error, call)) return errorResult(inWords(error));
    if (RpcError.is(error) || error instanceof InputRequired || call.signal.aborted) throw error;
    call.session.report(error);
    return errorResult(error instanceof Error ? error.message : String(error));
  };
  try {
    const value = entry.handler(args as never, call);
    const whole = after(value, (settled) => resultOf(settled, entry.definition.name, entry.output));
    const result = call.client.revision.objectOutput
      ? after(whole, (settled) => asObjectResult(settled, entry.output?.json))
      : whole;
    return isThenable(result) ? result.then(undefined, failed) : result;
  } catch (error) {
    return failed(error);
  }
}

/** Something has to be opened first, and the client's revision has no error that says so. */
const isRefused = (error: unknown, { client }: Call): error is UrlElicitationRequiredError =>
  RpcError.is(error) && error.code === URL_ELICITATION_REQUIRED && !client.revision.urlRequired;

const inWords = ({ message, data }: UrlElicitationRequiredError): string =>
  [message, ...data.elicitations.map((each) => `${each.message}: ${each.url}`)].join("\n");

const isThenable = <T>(value: T | PromiseLike<T>): value is PromiseLike<T> =>
  typeof (value as PromiseLike<T>).then === "function";

/** 1 to 128 of `A-Z a-z 0-9 _ - .` (server/tools, "Tool names"). */
function checkName(name: string): void {
  if (!/^[\w.-]{1,128}$/.test(name)) throw new TypeError("a name has 1 to 128 of the characters A-Z a-z 0-9 _ - .");
}
