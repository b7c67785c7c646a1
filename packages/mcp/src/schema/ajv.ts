import type { JsonSchema } from "../model/json.ts";
import type { Issue, Outcome } from "./schema.ts";

interface AjvError {
  readonly instancePath: string;
  readonly message?: string;
  readonly params: { readonly missingProperty?: string; readonly additionalProperty?: string };
}

interface AjvValidate {
  (value: unknown): boolean;
  readonly errors?: readonly AjvError[] | null;
}

const OPTIONS = { strict: false, allErrors: false, validateFormats: false };

type Constructor = new (options: typeof OPTIONS) => { compile(schema: JsonSchema): AjvValidate };

/** Compiles a schema of 2020-12, or of draft-07 where it says so. */
export async function compiled(schema: JsonSchema): Promise<(value: unknown) => Outcome> {
  const isOld = String(schema["$schema"]).includes("draft-07");
  const module: object = await (isOld ? import("ajv") : import("ajv/dist/2020.js"));
  // ajv is CommonJS: where its class ends up depends on who loads it.
  const { Ajv, Ajv2020, default: whole } = module as { readonly [name: string]: Constructor | undefined };
  const Dialect = (Ajv ?? Ajv2020 ?? whole) as Constructor;
  try {
    const check = new Dialect(OPTIONS).compile(schema);
    return (value) => (check(value) ? { value } : { issues: (check.errors ?? []).map(issueOf) });
  } catch (cause) {
    if (!(cause instanceof EvalError)) throw cause;
    throw new TypeError('ajv needs "new Function", which is not allowed here: give "validator" another one', { cause });
  }
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
