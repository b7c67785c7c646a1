import { INTERNAL_ERROR, RpcError } from "@x/jsonrpc";
import type { GetPromptResult, PromptMessage } from "../../model/prompts.ts";

/** What a handler returned, as a result. */
export function promptResult(value: unknown, name: string): GetPromptResult {
  if (typeof value === "string") return { messages: [{ role: "user", content: { type: "text", text: value } }] };
  if (isMessage(value)) return { messages: [value] };
  if (Array.isArray(value) && value.every(isMessage)) return { messages: value };
  const { messages } = (value ?? {}) as { messages?: unknown };
  if (Array.isArray(messages) && messages.every(isMessage)) return value as GetPromptResult;
  throw new RpcError(INTERNAL_ERROR, `prompt "${name}" returned neither text nor messages`);
}

function isMessage(value: unknown): value is PromptMessage {
  if (typeof value !== "object" || value === null) return false;
  const { role, content } = value as Record<string, unknown>;
  return (role === "user" || role === "assistant") && typeof content === "object" && content !== null;
}
