import type { JsonSchema } from "../model/json.ts";
import type { Issue, Validate } from "./schema.ts";

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

/** Validates with ajv, which is loaded and made to compile the schema at the first value. */
export function ajvValidator(schema: JsonSchema): Validate {
  let check: AjvValidate | undefined;
  return async (value) => {
    check ??= await compile(schema);
    return check(value) ? { value } : { issues: (check.errors ?? []).map(issueOf) };
  };
}

async function compile(schema: JsonSchema): Promise<AjvValidate> {
  const { $schema: dialect = "https://json-schema.org/draft/2020-12/schema" } = schema;
  const load = dialects[String(dialect).replace(/#$/, "")];
  if (!load) throw new TypeError(`JSON Schema dialect "${String(dialect)}" is not supported; use 2020-12 or draft-07`);
  const Dialect = await load();
  return new Dialect(OPTIONS).compile(schema);
}

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
