import type { JsonSchema } from "../model/json.ts";
import type { Issue, Outcome, Validate } from "./schema.ts";

interface AjvError {
  readonly instancePath: string;
  readonly message?: string;
  readonly params: { readonly missingProperty?: string; readonly additionalProperty?: string };
}

interface AjvValidate {
  (value: unknown): boolean;
  readonly errors?: readonly AjvError[] | null;
}

interface Ajv {
  compile(schema: JsonSchema): AjvValidate;
}

const OPTIONS = { strict: false, allErrors: false, validateFormats: false };

const dialects: { readonly [uri: string]: () => Promise<Constructor> } = {
  "https://json-schema.org/draft/2020-12/schema": async () => constructorOf(await import("ajv/dist/2020.js")),
  "http://json-schema.org/draft-07/schema": async () => constructorOf(await import("ajv")),
};

type Constructor = new (options: typeof OPTIONS) => Ajv;

/** ajv is CommonJS: where its class ends up depends on who loads it. */
function constructorOf(module: object): Constructor {
  const { Ajv, Ajv2020, default: whole } = module as { [name: string]: Constructor | undefined };
  return (Ajv ?? Ajv2020 ?? whole) as Constructor;
}

/**
 * Validates with ajv, which is loaded and made to compile the schema at the first value. Throws a TypeError for a
 * dialect that it doesn't know.
 */
export function ajvValidator(schema: JsonSchema): Validate {
  const load = dialectOf(schema);
  let check: AjvValidate | undefined;
  let compiling: Promise<AjvValidate> | undefined;
  return (value) => {
    if (check) return outcomeOf(check, value);
    compiling ??= load().then((Dialect) => compiled(Dialect, schema));
    return compiling.then((ready) => outcomeOf((check = ready), value));
  };
}

function compiled(Dialect: Constructor, schema: JsonSchema): AjvValidate {
  try {
    return new Dialect(OPTIONS).compile(schema);
  } catch (cause) {
    if (!(cause instanceof EvalError)) throw cause;
    throw new TypeError('ajv needs "new Function", which is not allowed here: give "validator" another one', { cause });
  }
}

function dialectOf({
  $schema: uri = "https://json-schema.org/draft/2020-12/schema",
}: JsonSchema): () => Promise<Constructor> {
  const load = dialects[String(uri).replace(/#$/, "")];
  if (load) return load;
  throw new TypeError(`JSON Schema dialect "${String(uri)}" is not supported; use 2020-12 or draft-07`);
}

const outcomeOf = (check: AjvValidate, value: unknown): Outcome =>
  check(value) ? { value } : { issues: (check.errors ?? []).map(issueOf) };

function issueOf({ instancePath, message = "is not valid", params }: AjvError): Issue {
  const path = instancePath
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const { missingProperty, additionalProperty } = params;
  if (missingProperty !== undefined) return { message: "is required", path: [...path, missingProperty] };
  if (additionalProperty !== undefined) return { message: "is not allowed", path: [...path, additionalProperty] };
  return { message, path };
}
