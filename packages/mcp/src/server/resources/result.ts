import { INTERNAL_ERROR, RpcError } from "@x/jsonrpc";
import { toBase64 } from "../../base64.ts";
import type { ResourceContents } from "../../model/content.ts";
import type { ReadResourceResult } from "../../model/resources.ts";

/** What a reader returned, as a result. */
export function readResult(value: unknown, uri: string, mimeType: string | undefined): ReadResourceResult {
  const facts = mimeType === undefined ? { uri } : { uri, mimeType };
  if (typeof value === "string") return { contents: [{ ...facts, text: value }] };
  if (value instanceof Uint8Array) return { contents: [{ ...facts, blob: toBase64(value) }] };
  if (isContents(value)) return { contents: [value] };
  if (Array.isArray(value) && value.every(isContents)) return { contents: value };
  const { contents } = value as { contents?: unknown };
  if (Array.isArray(contents) && contents.every(isContents)) return value as ReadResourceResult;
  throw new RpcError(INTERNAL_ERROR, `resource "${uri}" was read as something else than text, bytes or contents`);
}

function isContents(value: unknown): value is ResourceContents {
  if (typeof value !== "object" || value === null) return false;
  const { uri, text, blob } = value as Record<string, unknown>;
  return typeof uri === "string" && (typeof text === "string" || typeof blob === "string");
}
