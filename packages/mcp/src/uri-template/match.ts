import type { Expression, Operator, Template, Variable } from "./template.ts";

type Value = string | string[];

/** What a URI has in a template's places: text, or a list where the template says `*`. */
export type Values = { readonly [name: string]: string | readonly string[] | undefined };

/** Finds a template's values in a URI; undefined for a URI that the template doesn't give. */
export type Matcher = (uri: string) => Values | undefined;

/** Longer URIs match nothing. */
const MAX_LENGTH = 65_536;

/** Characters that a value can't contain, as bits. */
const SLASH = 1;
const QUESTION = 2;
const HASH = 4;
const DOT = 8;

/** How the values of an expression stand in a URI. */
interface Kind {
  readonly stop: number;
  /** It may be left out, with the character that it begins with. */
  readonly optional: boolean;
  /** Nothing has to follow that character. */
  readonly empty: boolean;
  readonly separator: string;
  /** `name=value` pairs, in any order. */
  readonly named: boolean;
  /** No value leads out of a folder: `..` is refused, however it is encoded. */
  readonly path: boolean;
}

const plain = { optional: false, empty: false, separator: ",", named: false, path: true };
const pairs = { optional: true, empty: true, separator: "&", named: true, path: false };

const KINDS: { readonly [operator in Operator]: Kind } = {
  "": { ...plain, stop: SLASH | QUESTION | HASH },
  "+": { ...plain, stop: 0 },
  "#": { ...plain, stop: 0, optional: true, empty: true, path: false },
  ".": { ...plain, stop: SLASH | QUESTION | HASH | DOT, optional: true, separator: "." },
  "/": { ...plain, stop: SLASH | QUESTION | HASH, optional: true, separator: "/" },
  ";": { ...pairs, stop: SLASH | QUESTION | HASH, separator: ";" },
  "?": { ...pairs, stop: HASH },
  "&": { ...pairs, stop: HASH },
};

/** A part of the URI that holds values. */
interface Span extends Kind {
  /** The character that it begins with, or "". */
  readonly first: string;
  readonly variables: readonly Variable[];
}

/**
 * The inverse of expansion, which RFC 6570 leaves open: a value has at least one character and ends before `/`, `?` and
 * `#`, except with `+`; named ones come in any order or not at all; where several ways would do, values are short.
 * The time it takes grows with the URI's length times the number of expressions, whatever the URI.
 */
export function matcherOf(template: Template): Matcher {
  const parts = template.flatMap<string | Span>((part) => (typeof part === "string" ? [part] : spansOf(part)));
  const prefix = typeof parts[0] === "string" ? parts[0] : "";
  return (uri) => {
    // Most URIs of other templates end here.
    if (uri.length > MAX_LENGTH || !uri.startsWith(prefix)) return undefined;
    const values = valuesIn(uri, parts, reachable(uri, parts));
    return values && Object.fromEntries(values);
  };
}

function spansOf({ operator, variables }: Expression): readonly Span[] {
  const kind = KINDS[operator];
  const first = operator === "+" ? "" : operator;
  if (first !== kind.separator || kind.named) return [{ ...kind, first, variables }];
  // Each value has its own `/` or `.`; one that is a list contains it.
  return variables.map((variable) => {
    const stop = variable.explode ? kind.stop & ~stopOf(first.charCodeAt(0)) : kind.stop;
    return { ...kind, first, stop, variables: [variable] };
  });
}

type Parts = readonly (string | Span)[];

/** For each part, the places from which it and all later parts match the rest: made from the last part backwards. */
function reachable(uri: string, parts: Parts): readonly Uint8Array[] {
  const end = new Uint8Array(uri.length + 1);
  end[uri.length] = 1;
  const from: Uint8Array[] = [end];
  for (const part of parts.toReversed()) {
    const next = from[0] as Uint8Array;
    from.unshift(typeof part === "string" ? beforeText(uri, part, next) : beforeSpan(uri, part, next));
  }
  return from;
}

function beforeText(uri: string, text: string, next: Uint8Array): Uint8Array {
  const from = new Uint8Array(next.length);
  for (let at = uri.indexOf(text); at !== -1; at = uri.indexOf(text, at + 1))
    from[at] = next[at + text.length] as number;
  return from;
}

function beforeSpan(uri: string, { first, stop, optional, empty }: Span, next: Uint8Array): Uint8Array {
  const from = new Uint8Array(next.length);
  const opener = first === "" ? undefined : first.charCodeAt(0);
  // What is left of a value may end, or go on, right after `at`.
  let open = 0;
  for (let at = uri.length; at >= 0; at--) {
    const some = at < uri.length && (stopOf(uri.charCodeAt(at)) & stop) === 0 ? open : 0;
    open = (next[at] as number) | some;
    if (opener === undefined) from[at] = some;
    else if (at > 0 && uri.charCodeAt(at - 1) === opener) from[at - 1] = empty ? open : some;
    if (optional) from[at] = (from[at] as number) | (next[at] as number);
  }
  return from;
}

type Entry = readonly [name: string, value: Value];

function valuesIn(uri: string, parts: Parts, from: readonly Uint8Array[]): readonly Entry[] | undefined {
  if (from[0]?.[0] !== 1) return undefined;
  const values: Entry[] = [];
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (typeof part === "string") {
      at += part.length;
      continue;
    }
    const start = at + part.first.length;
    const end = uri.startsWith(part.first, at) ? endOf(uri, start, part, from[index + 1] as Uint8Array) : undefined;
    if (end === undefined) continue;
    const read = part.named ? inPairs(part, uri.slice(start, end)) : inOrder(part, uri.slice(start, end));
    if (!read) return undefined;
    values.push(...read);
    at = end;
  }
  return values;
}

/** The first place where a span that starts here can end; undefined where it was left out. */
function endOf(uri: string, start: number, { stop, empty }: Span, next: Uint8Array): number | undefined {
  for (let at = start; at <= uri.length; at++) {
    if (next[at] === 1 && (empty || at > start)) return at;
    if ((stopOf(uri.charCodeAt(at)) & stop) !== 0) return undefined;
  }
  return undefined;
}

function inOrder({ variables, separator, path }: Span, raw: string): readonly Entry[] | undefined {
  const [only] = variables;
  if (variables.length === 1 && only?.explode) {
    const values = raw.split(separator).map((text) => valueOf(text, only, path));
    return values.every((value) => value !== undefined) ? [[only.name, values]] : undefined;
  }
  const texts = variables.length === 1 ? [raw] : raw.split(separator);
  if (texts.length !== variables.length) return undefined;
  const entries: Entry[] = [];
  for (const [index, variable] of variables.entries()) {
    const value = valueOf(texts[index] as string, variable, path);
    if (value === undefined) return undefined;
    entries.push([variable.name, variable.explode ? [value] : value]);
  }
  return entries;
}

function inPairs({ variables, separator }: Span, raw: string): readonly Entry[] | undefined {
  const found = new Map<string, Value>();
  for (const pair of raw === "" ? [] : raw.split(separator)) {
    const [name = "", ...rest] = pair.split("=");
    const variable = variables.find((candidate) => candidate.name === name);
    const value = variable && valueOf(rest.join("="), variable, false);
    if (value === undefined) return undefined;
    const before = found.get(name);
    if (Array.isArray(before)) before.push(value);
    else if (before === undefined) found.set(name, variable?.explode ? [value] : value);
    else return undefined;
  }
  return [...found];
}

/** Undefined for text that is badly encoded, too long, or leads out of a folder. */
function valueOf(text: string, { max }: Variable, path: boolean): string | undefined {
  try {
    const value = text.includes("%") ? decodeURIComponent(text) : text;
    if (max !== undefined && Array.from(value).length > max) return undefined;
    return path && /(?:^|[/\\])\.\.(?:$|[/\\])/.test(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

function stopOf(code: number): number {
  switch (code) {
    case 0x2f:
      return SLASH;
    case 0x3f:
      return QUESTION;
    case 0x23:
      return HASH;
    case 0x2e:
      return DOT;
    default:
      return 0;
  }
}
