import { type Fields, isErrorObject, unpolluted } from "./message.ts";

/** Why a value is no message: what was expected and what came. */
export function reasonFor(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return `expected an object, got ${nameOf(value)}`;
  const { jsonrpc, id, method, params, result, error } = unpolluted(value) as Fields;
  if (jsonrpc !== "2.0") return 'expected "jsonrpc": "2.0"';
  if (method === undefined) {
    if (error !== undefined && !isErrorObject(error))
      return 'an "error" needs an integer "code" and a string "message"';
    if ((result === undefined) === (error === undefined)) return 'expected one of "method", "result" and "error"';
  } else {
    if (typeof method !== "string") return `"method" must be a string, got ${nameOf(method)}`;
    if (params !== undefined && (typeof params !== "object" || params === null))
      return `"params" must be an object or an array, got ${nameOf(params)}`;
  }
  return `"id" must be a string, a number or null, got ${nameOf(id)}`;
}

function nameOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  // Infinity: 1e400 in the text.
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  return Array.isArray(value) ? "an array" : "an object";
}
