import type { JsonSchema } from "../model/json.ts";
import type { CallToolResult, Tool } from "../model/tools.ts";
import { compile } from "../schema/compile.ts";
import { type JsonSchemaValidator, type Outcome, type Validate, describe } from "../schema/schema.ts";
import { OutputError } from "./errors.ts";

/** A schema with more characters is not compiled. */
const MAX_SCHEMA = 250_000;

/**
 * Checks structured results against the output schemas of their tools. The server's list is read for that when the
 * first such result comes of a tool that nobody has listed.
 */
export class Outputs {
  readonly #list: (fresh: boolean) => AsyncIterable<Tool>;
  readonly #validator: JsonSchemaValidator | undefined;
  /** By tool; undefined for one without. */
  #schemas = new Map<string, JsonSchema | undefined>();
  /** Before the list changed: a schema that is still the same is not compiled again. */
  #older = this.#schemas;
  readonly #compiled = new WeakMap<JsonSchema, Validate>();
  #reading: Promise<void> | undefined;

  constructor(list: (fresh: boolean) => AsyncIterable<Tool>, validator: JsonSchemaValidator | undefined) {
    this.#list = list;
    this.#validator = validator;
  }

  /** Takes what a server says of its tools, right or wrong. */
  learn(tools: readonly unknown[]): void {
    for (const tool of tools) {
      const { name, outputSchema } = (tool ?? {}) as Partial<Tool>;
      if (typeof name !== "string") continue;
      const before = this.#schemas.get(name) ?? this.#older.get(name);
      const same = before && JSON.stringify(before) === JSON.stringify(outputSchema);
      this.#schemas.set(name, same ? before : outputSchema);
    }
  }

  /** The list has changed. */
  forget(): void {
    this.#older = this.#schemas;
    this.#schemas = new Map();
    this.#reading = undefined;
  }

  /**
   * Rejects with an OutputError for a result that its tool's schema refuses. What failed is never looked at; undefined
   * where there is nothing to check.
   */
  check(name: string, result: CallToolResult): Promise<void> | undefined {
    if (result.isError) return undefined;
    const structured = Object.hasOwn(result, "structuredContent");
    return structured || this.#schemas.get(name) ? this.#check(name, result, structured) : undefined;
  }

  async #check(name: string, result: CallToolResult, structured: boolean): Promise<void> {
    if (structured && !this.#schemas.has(name)) await this.#read(false);
    const schema = this.#schemas.get(name);
    if (!schema) return;
    if (!structured)
      throw new OutputError(name, "without the structured content that its output schema describes", result);
    if (!(await this.#refusal(name, schema, result))) return;
    // The schema may be older than the tool that has answered.
    await this.#read(true);
    const newest = this.#schemas.get(name);
    const refusal = newest && (await this.#refusal(name, newest, result));
    if (refusal !== undefined)
      throw new OutputError(name, `with structured content that its output schema refuses: ${refusal}`, result);
  }

  /** Why the schema refuses the result; undefined where it doesn't. */
  async #refusal(name: string, schema: JsonSchema, result: CallToolResult): Promise<string | undefined> {
    let outcome: Outcome;
    try {
      outcome = await this.#validate(schema)(result.structuredContent);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new OutputError(name, `but its output schema can't be used: ${why}`, result, { cause });
    }
    return outcome.issues && describe(outcome.issues);
  }

  #validate(schema: JsonSchema): Validate {
    let validate = this.#compiled.get(schema);
    if (validate) return validate;
    if (JSON.stringify(schema).length > MAX_SCHEMA) throw new TypeError(`it has more than ${MAX_SCHEMA} characters`);
    ({ validate } = compile(schema, "output", this.#validator));
    this.#compiled.set(schema, validate);
    return validate;
  }

  /** A list that can't be read leaves results unchecked; the next one tries again. */
  async #read(fresh: boolean): Promise<void> {
    if (fresh) this.#reading = undefined;
    await (this.#reading ??= this.#readAll(fresh).catch(() => void (this.#reading = undefined)));
  }

  async #readAll(fresh: boolean): Promise<void> {
    for await (const tool of this.#list(fresh)) this.learn([tool]);
  }
}
