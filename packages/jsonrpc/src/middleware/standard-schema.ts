/**
 * Standard Schema v1 (https://standardschema.dev): what zod, valibot, arktype and others have in common, so that any
 * of them can be used where a `StandardSchema` is asked for.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** For inference only: nothing is there at run time. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The value with its defaults and transforms, or why there is none. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One reason why a value doesn't fit, and where in the value it was found. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a schema takes. */
export type InputOf<S extends StandardSchema> = NonNullable<S["~standard"]["types"]>["input"];

/** What a schema makes of it. */
export type OutputOf<S extends StandardSchema> = NonNullable<S["~standard"]["types"]>["output"];
