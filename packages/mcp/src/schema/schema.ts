import type { JsonSchema } from "../model/json.ts";

/** What a check found: the value to go on with, or why not. */
export type Outcome = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

/** One reason why a value doesn't fit. */
export interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type Validate = (value: unknown) => Outcome | Promise<Outcome>;

/** A schema of any kind, ready for use: how it is published and how it is checked. */
export interface Compiled {
  readonly json: JsonSchema;
  readonly validate: Validate;
}

/** Compiles plain JSON Schemas: given once to a server or client, instead of ajv. */
export type JsonSchemaValidator = (schema: JsonSchema) => Validate;

/** `roomId: expected string, got number (at /roomId)`, one after another. */
export function describe(issues: readonly Issue[]): string {
  return issues
    .map(({ message, path = [] }) => {
      const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
      return keys.length === 0 ? message : `${keys.join(".")}: ${message} (at /${keys.map(pointer).join("/")})`;
    })
    .join("; ");
}

/** A key as JSON Pointer (RFC 6901) writes it. */
const pointer = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");
