import type { ElicitFormParams } from "../model/elicitation.ts";
import type { JsonObject } from "../model/json.ts";
import { revision20250326 } from "./2025-03-26.ts";
import { type Revision, and } from "./revision.ts";

export const revision20250618: Revision = {
  ...revision20250326,
  version: "2025-06-18",
  batches: false,
  http: { versioned: true, polling: false },
  asks: /* @__PURE__ */ and(revision20250326.asks, "elicitation/create"),
  downAsk: (method, params) => (method === "elicitation/create" ? plainForm(params as ElicitFormParams) : params),
  down: undefined,
};

type Field = JsonObject & { readonly oneOf?: readonly { readonly const: string; readonly title: string }[] };

/** Forms had no modes yet, and titles of choices were a list beside them. */
function plainForm({ mode: _mode, requestedSchema, ...rest }: ElicitFormParams): object {
  const { properties } = requestedSchema as { readonly properties: { readonly [name: string]: Field } };
  const fields = Object.entries(properties).map(([name, field]) => [name, plainField(field)]);
  return { ...rest, requestedSchema: { ...requestedSchema, properties: Object.fromEntries(fields) } };
}

function plainField({ oneOf, ...field }: Field): JsonObject {
  if (!oneOf) return field;
  return { ...field, enum: oneOf.map((choice) => choice.const), enumNames: oneOf.map(({ title }) => title) };
}
