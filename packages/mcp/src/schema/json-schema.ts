import { Late } from "../late.ts";
import type { JsonSchema } from "../model/json.ts";
import type { Validate } from "./schema.ts";

/** The dialects that ajv knows. */
const DIALECTS = /^(?:https:\/\/json-schema\.org\/draft\/2020-12|http:\/\/json-schema\.org\/draft-07)\/schema#?$/;

/**
 * Validates with ajv, which is loaded and made to compile the schema at the first value. Throws a TypeError for a
 * dialect that it doesn't know.
 */
export function ajvValidator(schema: JsonSchema): Validate {
  const { $schema: uri } = schema;
  if (uri !== undefined && !DIALECTS.test(String(uri)))
    throw new TypeError(`JSON Schema dialect "${String(uri)}" is not supported; use 2020-12 or draft-07`);
  const check = new Late(async () => (await import("./ajv.ts")).compiled(schema));
  return (value) => (check.now ? check.now(value) : check.open().then((ready) => ready(value)));
}
