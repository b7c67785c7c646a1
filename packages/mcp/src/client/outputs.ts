import type { JsonSchema } from "../model/json.ts";
import type { CallToolResult } from "../model/tools.ts";
import { compile } from "../schema/compile.ts";
import { type JsonSchemaValidator, type Outcome, type Validate, describe } from "../schema/schema.ts";
import type { Catalog } from "./catalog.ts";
import { OutputError } from "./errors.ts";

/** A schema with more characters is not compiled. */
const MAX_SCHEMA = 250_000;

/** Checks structured results against the output schemas of their tools. */
export class Outputs {
  readonly #catalog: Catalog;
  readonly #validator: JsonSchemaValidator | undefined;
  readonly #compiled = new WeakMap<JsonSchema, Validate>();

  constructor(catalog: Catalog, validator: JsonSchemaValidator | undefined) {
    this.#catalog = catalog;
    this.#validator = validator;
  }

  /** Rejects with an OutputError for a result that its tool's schema refuses. */
  async check(name: string, result: CallToolResult): Promise<void> {
    const structured = Object.hasOwn(result, "structuredContent");
    const schema = (structured ? await this.#catalog.find(name) : this.#catalog.get(name))?.output;
    if (!schema) return;
    if (!structured)
      throw new OutputError(name, "without the structured content that its output schema describes", result);
    if (!(await this.#refusal(name, schema, result))) return;
    // The schema may be older than the tool that has answered.
    await this.#catalog.read(true);
    const newest = this.#catalog.get(name)?.output;
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
}
