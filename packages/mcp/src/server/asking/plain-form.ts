import type { ElicitFormParams } from "../../model/elicitation.ts";
import type { JsonObject } from "../../model/json.ts";

type Field = JsonObject & { readonly oneOf?: readonly { readonly const: string; readonly title: string }[] };

/** A form for revisions without modes: titles of choices were a list beside them. */
export function plainForm({ mode: _mode, requestedSchema, ...rest }: ElicitFormParams): object {
  const { properties } = requestedSchema as { readonly properties: { readonly [name: string]: Field } };
  const fields = Object.entries(properties).map(([name, field]) => [name, plainField(field)]);
  return { ...rest, requestedSchema: { ...requestedSchema, properties: Object.fromEntries(fields) } };
}

function plainField({ oneOf, ...field }: Field): JsonObject {
  if (!oneOf) return field;
  return { ...field, enum: oneOf.map((choice) => choice.const), enumNames: oneOf.map(({ title }) => title) };
}
