import type { JsonSchema } from "../model/json.ts";
import { ajvValidator } from "./json-schema.ts";
import type { Compiled, JsonSchemaValidator } from "./schema.ts";
import { type Side, type StandardSchema, compileStandard, isStandard } from "./standard.ts";

/** A schema that validates itself, or a plain JSON Schema. */
export type Schema<Input = unknown, Output = Input> = StandardSchema<Input, Output> | JsonSchema;

/** As little as is needed: matched against all of StandardSchema, a hundred tools cost the compiler a fifth more. */
interface Typed {
  readonly "~standard": { readonly types?: { readonly input: unknown; readonly output: unknown } | undefined };
}

type TypesOf<S extends Typed> = NonNullable<S["~standard"]["types"]>;

/** Where a schema of zod's has the same types: `~standard`, which it derives from them, costs the compiler half as much again for a tool. */
interface Zod {
  readonly _zod: { readonly input: unknown; readonly output: unknown };
}

/** What a schema lets through: the type after its defaults and transforms; `Otherwise` for a plain JSON Schema. */
export type OutputOf<S, Otherwise> = S extends Zod
  ? S["_zod"]["output"]
  : S extends Typed
    ? TypesOf<S>["output"]
    : Otherwise;

/** What a schema takes. */
export type InputOf<S, Otherwise> = S extends Zod
  ? S["_zod"]["input"]
  : S extends Typed
    ? TypesOf<S>["input"]
    : Otherwise;

/** The schema of a tool's or a prompt's arguments, which are always an object. */
export function compileArguments(schema: Schema, validator: JsonSchemaValidator | undefined): Compiled {
  const compiled = compile(schema, "input", validator);
  if (compiled.json["type"] !== "object") throw new TypeError('the schema of its arguments must have "type": "object"');
  return compiled;
}

/** Makes any schema publishable and checkable. Throws a TypeError for one that can't be published. */
export function compile(schema: Schema, side: Side, validator: JsonSchemaValidator = ajvValidator): Compiled {
  if (isStandard(schema)) return compileStandard(schema, side);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema))
    throw new TypeError("a schema must be an object");
  return { json: schema, validate: validator(schema) };
}
