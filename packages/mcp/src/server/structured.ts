import { INTERNAL_ERROR, RpcError } from "@x/jsonrpc";
import { after } from "../after.ts";
import type { JsonSchema } from "../model/json.ts";
import type { CallToolResult } from "../model/tools.ts";
import type { Revision } from "../revisions/index.ts";
import { type Compiled, describe } from "../schema/schema.ts";
import { isResult, resultOf } from "./tool-result.ts";

/** A tool whose results are structured. */
interface Structured {
  readonly name: string;
  /** Of its output; undefined where it has none. */
  readonly schema: Compiled | undefined;
}

/**
 * What a handler returned, as a result of this revision. With an output schema that is a value, whatever members it has,
 * unless it says that it is a whole result by `structuredContent` or `isError`.
 */
export function structuredResult(
  value: unknown,
  { name, schema }: Structured,
  { objectOutput }: Revision,
): CallToolResult | PromiseLike<CallToolResult> {
  const whole = isResult(value) && (value.isError || Object.hasOwn(value, "structuredContent")) ? value : undefined;
  const result = schema && !whole?.isError ? checked(value, whole, name, schema) : resultOf(value, name);
  return objectOutput ? after(result, (settled) => asObjectResult(settled, schema?.json)) : result;
}

/** A value, or a result that has one, which breaks the tool's own output schema is the server's fault. */
function checked(
  value: unknown,
  whole: CallToolResult | undefined,
  name: string,
  schema: Compiled,
): CallToolResult | PromiseLike<CallToolResult> {
  return after(schema.validate(whole ? whole.structuredContent : value), (outcome) => {
    if (outcome.issues)
      throw new RpcError(
        INTERNAL_ERROR,
        `tool "${name}" returned what its output schema refuses: ${describe(outcome.issues)}`,
      );
    if (whole) return { ...whole, structuredContent: outcome.value };
    const text = JSON.stringify(outcome.value) ?? "null";
    return { content: [{ type: "text", text }], structuredContent: outcome.value };
  });
}

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
function asObjectResult(result: CallToolResult, schema: JsonSchema | undefined): CallToolResult {
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
