import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import type { JsonSchema } from "../../model/json.ts";
import { compile, type Schema } from "../../schema/compile.ts";
import { type Compiled, type JsonSchemaValidator, describe } from "../../schema/schema.ts";

/** What a form's schema may say of a field (client/elicitation, "Requested schema"); `pattern` and the like are checked here only. */
const KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "title",
  "description",
  "default",
  "format",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "enum",
  "enumNames",
  "oneOf",
  "items",
  "minItems",
  "maxItems",
]);

const FORMATS: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

/** A form ready to be sent, and its check of what comes back. */
export interface Form {
  readonly requestedSchema: JsonSchema;
  /** The content with defaults and transforms. Throws -32602 where it doesn't fit. */
  read(key: string, content: unknown): Promise<unknown>;
}

/** Throws a TypeError for a schema that is no flat form. */
export function formOf(schema: Schema, validator: JsonSchemaValidator | undefined): Form {
  const compiled = compile(schema, "input", validator);
  return { requestedSchema: flat(compiled.json), read: (key, content) => check(compiled, key, content) };
}

async function check({ validate }: Compiled, key: string, content: unknown): Promise<unknown> {
  const outcome = await validate(content ?? {});
  if (outcome.issues)
    throw new RpcError(INVALID_PARAMS, `The answer to "${key}" does not fit the form: ${describe(outcome.issues)}`);
  return outcome.value;
}

function flat({ type, properties, required }: JsonSchema): JsonSchema {
  if (type !== "object" || typeof properties !== "object" || properties === null)
    throw new TypeError("a form's schema must be an object with properties");
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => [
    name,
    fieldOf(name, field),
  ]);
  return { type, properties: Object.fromEntries(fields), ...(required === undefined ? undefined : { required }) };
}

function fieldOf(name: string, field: JsonSchema): JsonSchema {
  const kind = field["type"];
  if (kind !== "string" && kind !== "number" && kind !== "integer" && kind !== "boolean" && kind !== "array")
    throw new TypeError(
      `a form's field is a string, number, integer, boolean or a choice of strings; "${name}" is not`,
    );
  return Object.fromEntries(
    Object.entries(field).filter(([keyword, value]) =>
      keyword === "format" ? FORMATS.has(value) : KEYWORDS.has(keyword),
    ),
  );
}
