/** A JSON Schema, 2020-12 unless its `$schema` says otherwise. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A JSON object of which nothing more is known. */
export type JsonObject = { readonly [name: string]: unknown };
