import { RpcError, INTERNAL_ERROR } from "@x/jsonrpc";
import { after } from "../after.ts";
import type { ContentBlock } from "../model/content.ts";
import type { CallToolResult } from "../model/tools.ts";
import { type Compiled, describe } from "../schema/schema.ts";

/** A failure that the model should read. */
export const errorResult = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

/**
 * What a handler returned, as a result. With an output schema that is a value, whatever members it has, unless it says
 * that it is a whole result by `structuredContent` or `isError`.
 */
export function resultOf(
  value: unknown,
  name: string,
  output: Compiled | undefined,
): CallToolResult | PromiseLike<CallToolResult> {
  const whole = isResult(value) && (value.isError || Object.hasOwn(value, "structuredContent")) ? value : undefined;
  if (output && !whole?.isError) return structured(value, whole, name, output);
  if (typeof value === "string") return { content: [{ type: "text", text: value }] };
  if (Array.isArray(value) && value.every(isBlock)) return { content: value };
  if (isBlock(value)) return { content: [value] };
  if (isResult(value)) return value;
  if (value === undefined) return { content: [] };
  throw new RpcError(
    INTERNAL_ERROR,
    `tool "${name}" returned neither text nor content; give it an output schema to return values`,
  );
}

/** A value, or a result that has one, which breaks the tool's own output schema is the server's fault. */
function structured(
  value: unknown,
  whole: CallToolResult | undefined,
  name: string,
  output: Compiled,
): CallToolResult | PromiseLike<CallToolResult> {
  return after(output.validate(whole ? whole.structuredContent : value), (outcome) => {
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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const isBlock = (value: unknown): value is ContentBlock => isObject(value) && typeof value["type"] === "string";

const isResult = (value: unknown): value is CallToolResult =>
  isObject(value) && Array.isArray(value["content"]) && value["content"].every(isBlock);
