import type { JsonSchema } from "../model/json.ts";
import type { Outcome, Validate } from "./schema.ts";

/** Dialects, and where ajv has them. */
const dialects: { readonly [uri: string]: () => Promise<object> } = {
  "https://json-schema.org/draft/2020-12/schema": () => import("ajv/dist/2020.js"),
  "http://json-schema.org/draft-07/schema": () => import("ajv"),
};

/**
 * Validates with ajv, which is loaded and made to compile the schema at the first value. Throws a TypeError for a
 * dialect that it doesn't know.
 */
export function ajvValidator(schema: JsonSchema): Validate {
  const { $schema: uri = "https://json-schema.org/draft/2020-12/schema" } = schema;
  const load = dialects[String(uri).replace(/#$/, "")];
  if (!load) throw new TypeError(`JSON Schema dialect "${String(uri)}" is not supported; use 2020-12 or draft-07`);
  let check: ((value: unknown) => Outcome) | undefined;
  let compiling: Promise<(value: unknown) => Outcome> | undefined;
  return (value) => {
    if (check) return check(value);
    compiling ??= Promise.all([load(), import("./ajv.ts")]).then(([module, { compiled }]) => compiled(module, schema));
    return compiling.then((ready) => (check = ready)(value));
  };
}
