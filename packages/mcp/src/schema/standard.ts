import type { Compiled, Outcome } from "./schema.ts";

/**
 * A schema that validates and describes itself: Standard Schema v1 with its JSON Schema part. zod 4.2 and arktype have
 * both; a valibot schema gets the second through `toStandardJsonSchema` of @valibot/to-json-schema.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Outcome | Promise<Outcome>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
      readonly output: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

/** An arktype schema is a function. */
export const isStandard = (schema: unknown): schema is StandardSchema =>
  (typeof schema === "object" || typeof schema === "function") && schema !== null && "~standard" in schema;

/** Which side of a schema that transforms is meant: what goes in, or what comes out. */
export type Side = "input" | "output";

export function compileStandard(schema: StandardSchema, side: Side): Compiled {
  const { jsonSchema, validate, vendor } = schema["~standard"];
  if (!jsonSchema) {
    const hint =
      vendor === "valibot"
        ? "wrap it with toStandardJsonSchema from @valibot/to-json-schema"
        : "give a JSON Schema instead";
    throw new TypeError(`a schema of "${vendor}" without JSON Schema can't be published; ${hint}`);
  }
  return { json: jsonSchema[side]({ target: "draft-2020-12" }), validate };
}
