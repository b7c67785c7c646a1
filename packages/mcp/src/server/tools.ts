import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from "@x/jsonrpc";
import { after, isPromise } from "../after.ts";
import { URL_ELICITATION_REQUIRED, type UrlElicitationRequiredError } from "../errors.ts";
import { type MirroredParameter, mirroredParameters } from "../http/mirror.ts";
import { Late } from "../late.ts";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { CallToolResult, Tool } from "../model/tools.ts";
import type { Revision } from "../revisions/index.ts";
import type { Compiled, Issue, JsonSchemaValidator, Outcome } from "../schema/schema.ts";
import { compile, compileArguments } from "../schema/compile.ts";
import type { Call } from "./contract.ts";
import type { TaskUse } from "./tasks/use.ts";
import type { Feature, FeatureOptions } from "./feature.ts";
import type { Features } from "./features.ts";
import { List } from "./list.ts";
import { Registry } from "./registry.ts";
import type * as Structured from "./structured.ts";
import type { AnyToolHandler, AnyToolOptions } from "./tool.ts";
import { errorResult, resultOf } from "./tool-result.ts";

interface Entry {
  readonly definition: Tool;
  readonly input: Compiled | undefined;
  readonly output: Compiled | undefined;
  readonly handler: AnyToolHandler;
  readonly task: TaskUse | undefined;
  readonly mirrored: readonly MirroredParameter[];
}

/** For tools with an output schema, from their registration on, and for results with structured content. */
const structured: Late<typeof Structured> = /* @__PURE__ */ new Late(() => import("./structured.ts"));

/** tools/list and tools/call (server/tools). */
export class Tools implements Feature {
  readonly methods = {
    "tools/list": (call: Call): unknown =>
      structured.tell(() => {})?.then(() => this.#list.page(call)) ?? this.#list.page(call),
    "tools/call": (call: Call): unknown => this.#call(call),
  };
  readonly registry: Registry<AnyToolOptions, AnyToolHandler, Entry>;
  readonly #options: FeatureOptions;
  readonly #features: Features;
  readonly #list: List<Entry, Tool>;

  constructor(options: FeatureOptions, features: Features) {
    this.#options = options;
    this.#features = features;
    this.registry = new Registry({
      kind: "tool",
      make: (name, own, handler) => entryOf(name, own, handler, options.validator),
      changed: () => options.changed("tools"),
    });
    this.#list = new List({ key: "tools", source: this.registry, show: shown, pageSize: options.pageSize });
  }

  capabilities(): ServerCapabilities {
    return { tools: { listChanged: this.#options.listChanged } };
  }

  #call(call: Call): unknown {
    const { name, arguments: args = {}, task } = call.params;
    if (typeof name !== "string") throw new RpcError(INVALID_PARAMS, `tools/call: "name" must be a string`);
    if (typeof args !== "object" || args === null || Array.isArray(args))
      throw new RpcError(INVALID_PARAMS, `tool "${name}": "arguments" must be an object`);
    const entry = this.registry.get(name);
    if (!entry) throw new RpcError(INVALID_PARAMS, `Unknown tool: "${name}"`);
    if (task !== undefined && !entry.task && this.#features.tasks && call.client.revision.tasks === "augmented")
      throw new RpcError(METHOD_NOT_FOUND, `tool "${name}" can't be called as a task`);
    if (!entry.input) return this.#run(entry, args, call);
    const outcome = entry.input.validate(args);
    return isPromise(outcome) ? this.#checkedLater(outcome, entry, call) : this.#checked(outcome, entry, call);
  }

  // Apart, as the other functions here that make closures: a function with one in it pays for it in each call.
  async #checkedLater(outcome: Promise<Outcome>, entry: Entry, call: Call): Promise<object> {
    return await this.#checked(await outcome, entry, call);
  }

  #checked(outcome: Outcome, entry: Entry, call: Call): object | PromiseLike<object> {
    return outcome.issues ? refused(entry, outcome.issues) : this.#run(entry, outcome.value, call);
  }

  #run(entry: Entry, args: unknown, call: Call): object | PromiseLike<object> {
    return entry.task && this.#features.tasks ? this.#runAsTask(entry, args, call) : run(entry, args, call);
  }

  async #runAsTask(entry: Entry, args: unknown, call: Call): Promise<object> {
    const tasks = await this.#features.tasks!.open();
    return await tasks.run(call, entry.task!, () => run(entry, args, call));
  }
}

function entryOf(
  name: string,
  { input, output, task, ...facts }: AnyToolOptions,
  handler: AnyToolHandler,
  validator: JsonSchemaValidator | undefined,
): Entry {
  checkName(name);
  const compiledInput = input === undefined ? undefined : compileArguments(input, validator);
  const compiledOutput = output === undefined ? undefined : compile(output, "output", validator);
  if (compiledOutput) structured.open().catch(() => {});
  const inputSchema = compiledInput?.json ?? { type: "object" };
  const definition = { name, ...facts, inputSchema, ...(compiledOutput && { outputSchema: compiledOutput.json }) };
  const mirrored = mirroredParameters(inputSchema);
  return { definition: definition as Tool, input: compiledInput, output: compiledOutput, handler, task, mirrored };
}

/** A tool's definition as a revision has it. Whether it can be a task is said only where the client decides. */
function shown({ definition, task }: Entry, { tasks, objectOutput }: Revision): Tool {
  const { outputSchema } = definition;
  return {
    ...definition,
    ...(outputSchema && objectOutput && { outputSchema: structured.now!.asObjectSchema(outputSchema) }),
    ...(task && tasks === "augmented" && { execution: { taskSupport: task } }),
  };
}

function run(entry: Entry, args: unknown, call: Call): CallToolResult | PromiseLike<CallToolResult> {
  try {
    const value = entry.handler(args as never, call);
    const result = isPromise(value) ? resultLater(entry, value, call) : resultFor(entry, value, call);
    return isPromise(result) ? unlessFailed(result, call) : result;
  } catch (error) {
    return failed(error, call);
  }
}

const resultLater = (entry: Entry, value: PromiseLike<unknown>, call: Call): PromiseLike<CallToolResult> =>
  value.then((settled) => resultFor(entry, settled, call));

const unlessFailed = (result: PromiseLike<CallToolResult>, call: Call): PromiseLike<CallToolResult> =>
  result.then(undefined, (error: unknown) => failed(error, call));

/** What a tool throws is for the model to read; only an RpcError is an error of the call itself. */
function failed(error: unknown, call: Call): CallToolResult | Promise<CallToolResult> {
  if (isToOpen(error, call)) return asked(error);
  if (RpcError.is(error) || call.asking?.isStop?.(error) || call.signal.aborted) throw error;
  call.session.report(error);
  return errorResult(error instanceof Error ? error.message : String(error));
}

function resultFor(
  { definition: { name }, output: schema }: Entry,
  value: unknown,
  { client: { revision } }: Call,
): CallToolResult | PromiseLike<CallToolResult> {
  if (!schema && !(revision.objectOutput && hasStructured(value))) return resultOf(value, name);
  return after(structured.now ?? structured.open(), ({ structuredResult }) =>
    structuredResult(value, { name, schema }, revision),
  );
}

const hasStructured = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, "structuredContent");

/** Something has to be opened first, and the client's revision has no error that says so. */
const isToOpen = (error: unknown, { client }: Call): error is UrlElicitationRequiredError =>
  RpcError.is(error) && error.code === URL_ELICITATION_REQUIRED && !client.revision.urlRequired;

async function asked(error: UrlElicitationRequiredError): Promise<CallToolResult> {
  const { toOpen } = await import("./tool-refusals.ts");
  return toOpen(error);
}

async function refused({ definition: { name } }: Entry, issues: readonly Issue[]): Promise<CallToolResult> {
  const { invalidArguments } = await import("./tool-refusals.ts");
  return invalidArguments(name, issues);
}

/** 1 to 128 of `A-Z a-z 0-9 _ - .` (server/tools, "Tool names"). */
function checkName(name: string): void {
  if (!/^[\w.-]{1,128}$/.test(name)) throw new TypeError("a name has 1 to 128 of the characters A-Z a-z 0-9 _ - .");
}
