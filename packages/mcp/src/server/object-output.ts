import type { JsonSchema } from "../model/json.ts";
import type { CallToolResult } from "../model/tools.ts";

const isObjectSchema = ({ type }: JsonSchema): boolean => type === "object";

/**
 * Where structured content is always an object (Revision.objectOutput), a tool whose output schema has another root than
 * `"type": "object"` shows a schema with the one member `result`, and gives such values: see `asObjectResult`.
 */
export function asObjectSchema(schema: JsonSchema): JsonSchema {
  if (isObjectSchema(schema)) return schema;
  const { $schema, ...rest } = schema;
  // A schema with an id of its own is where its references start from; another one has moved one level down.
  const result = "$id" in rest ? rest : moved(rest);
  return {
    ...($schema === undefined ? undefined : { $schema }),
    type: "object",
    properties: { result },
    required: ["result"],
  };
}

/** The schema decides, so that a tool's results have one form; only without one does the value. */
export function asObjectResult(result: CallToolResult, schema: JsonSchema | undefined): CallToolResult {
  if (!Object.hasOwn(result, "structuredContent")) return result;
  const { structuredContent: value } = result;
  const fits = schema ? isObjectSchema(schema) : typeof value === "object" && value !== null && !Array.isArray(value);
  return fits ? result : { ...result, structuredContent: { result: value } };
}

function moved(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(moved);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === "$ref" && isPointer(value) ? `#/properties/result${value.slice(1)}` : moved(value),
    ]),
  );
}

const isPointer = (ref: unknown): ref is string => ref === "#" || (typeof ref === "string" && ref.startsWith("#/"));
