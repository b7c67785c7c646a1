import type { JsonSchema } from "../model/json.ts";
import { decodeHeader, encodeHeader } from "./encoding.ts";
import { PARAM_PREFIX } from "./headers.ts";

/** The keyword in a property's schema that has its value mirrored into a header. */
const KEYWORD = "x-mcp-header";

/** An argument of a tool whose value is also sent as a header. */
export interface MirroredParameter {
  /** In lower case. */
  readonly header: string;
  /** From the root of the arguments. */
  readonly path: readonly string[];
}

/**
 * The parameters that an input schema has mirrored. Throws a TypeError that says why for an annotation that is not
 * allowed ("Schema Extension").
 */
export function mirroredParameters(schema: JsonSchema): readonly MirroredParameter[] {
  const found: MirroredParameter[] = [];
  walk(schema, [], true, found);
  return found;
}

/** The headers that mirror these arguments. A value that is absent or null has none. */
export function mirrorHeaders(
  parameters: readonly MirroredParameter[],
  args: unknown,
): { readonly [header: string]: string } {
  const headers: Record<string, string> = {};
  for (const { header, path } of parameters) {
    const value = valueAt(args, path);
    if (isMirrorable(value)) headers[header] = encodeHeader(value);
  }
  return headers;
}

/** Why the headers don't mirror these arguments; undefined where they do. */
export function mirrorFault(
  parameters: readonly MirroredParameter[],
  args: unknown,
  headerOf: (name: string) => string | undefined,
): string | undefined {
  for (const { header, path } of parameters) {
    const fault = compare(header, headerOf(header), valueAt(args, path), path);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function compare(
  name: string,
  header: string | undefined,
  value: unknown,
  path: readonly string[],
): string | undefined {
  const argument = `the argument ${path.join(".")}`;
  if (value === undefined || value === null)
    return header === undefined ? undefined : `${name} is set, but ${argument} is not`;
  // Anything else is for the tool's own schema to refuse.
  if (!isMirrorable(value)) return undefined;
  if (header === undefined) return `${name} is missing; it must mirror ${argument}`;
  const text = decodeHeader(header);
  if (text === undefined) return `${name} has characters that are not allowed, or Base64 that is none`;
  const same = typeof value === "number" ? text !== "" && Number(text) === value : text === String(value);
  return same ? undefined : `${name} does not mirror ${argument}`;
}

const isMirrorable = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value);

/** Keywords whose values are data and no schemas. */
const DATA = new Set(["default", "const", "enum", "examples", "example", "required", KEYWORD]);

/** Deeper than any schema is in earnest. */
const MAX_DEPTH = 100;

function walk(schema: unknown, path: readonly string[], reachable: boolean, found: MirroredParameter[]): void {
  if (typeof schema !== "object" || schema === null) return;
  if (path.length > MAX_DEPTH) throw new TypeError(`nested deeper than ${MAX_DEPTH} levels`);
  if (Object.hasOwn(schema, KEYWORD)) found.push(parameterFor(schema as JsonSchema, path, reachable, found));
  for (const [keyword, inner] of Object.entries(schema)) {
    if (keyword === "properties")
      for (const [name, property] of Object.entries(inner ?? {})) walk(property, [...path, name], reachable, found);
    else if (!DATA.has(keyword)) walk(inner, [...path, keyword], false, found);
  }
}

function parameterFor(
  { [KEYWORD]: name, type }: JsonSchema,
  path: readonly string[],
  reachable: boolean,
  found: readonly MirroredParameter[],
): MirroredParameter {
  const wrong = (why: string): TypeError => new TypeError(`${KEYWORD} of ${path.join(".") || "the root"} ${why}`);
  if (typeof name !== "string" || !/^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(name))
    throw wrong(`must be a header name, got ${JSON.stringify(name)}`);
  if (!reachable || path.length === 0) throw wrong("must be on a property reached through properties");
  if (!isPrimitive(type))
    throw wrong(`must be on a string, integer or boolean, got ${JSON.stringify(type) ?? "no type"}`);
  const header = PARAM_PREFIX + name.toLowerCase();
  if (found.some((other) => other.header === header)) throw wrong(`names the header ${name} again`);
  return { header, path };
}

const PRIMITIVE = new Set<unknown>(["string", "integer", "boolean"]);

/** A type that may also be null is as good: null is mirrored by no header. */
function isPrimitive(type: unknown): boolean {
  const types = [type].flat().filter((each) => each !== "null");
  return types.length > 0 && types.every((each) => PRIMITIVE.has(each));
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as { readonly [key: string]: unknown })[key];
  }
  return value;
}
