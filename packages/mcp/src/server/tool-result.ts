import { RpcError, INTERNAL_ERROR } from "@x/jsonrpc";
import type { ContentBlock } from "../model/content.ts";
import type { CallToolResult } from "../model/tools.ts";

/** A failure that the model should read. */
export const errorResult = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

/** What a handler returned whose tool has no output schema, as a result. */
export function resultOf(value: unknown, name: string): CallToolResult {
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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const isBlock = (value: unknown): value is ContentBlock => isObject(value) && typeof value["type"] === "string";

export const isResult = (value: unknown): value is CallToolResult =>
  isObject(value) && Array.isArray(value["content"]) && value["content"].every(isBlock);
