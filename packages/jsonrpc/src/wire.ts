import { PARSE_ERROR } from "./errors.ts";
import { Invalid } from "./invalid.ts";
import { type Batch, type Id, type Message, type Success, kindOf } from "./message.ts";
import { reasonFor } from "./reason.ts";

/** What text can hold: a message, something invalid, or a batch, whose members are still to be judged one by one. */
export type Incoming = Message | Invalid | unknown[];

/** Deeper nesting is refused: handlers and serialisers that recurse would run out of stack. */
const MAX_DEPTH = 1000;

/** Members of a larger batch are left as they are; a peer takes no more than 1,000 anyway. */
const MAX_JUDGED = 10_000;

/** Text to message. Never throws: what is invalid comes out as a value that holds its answer. */
export function parse(text: string): Incoming {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return new Invalid(`Parse error: ${(cause as Error).message}`, { code: PARSE_ERROR });
  }
  if (tooDeep(text, value)) return Invalid.of(value, `nested deeper than ${MAX_DEPTH} levels`);
  if (!Array.isArray(value)) return judged(value) as Message | Invalid;
  // An `Invalid` for each of millions of members would take gigabytes.
  return value.length > MAX_JUDGED ? value : value.map(judged);
}

const judged = (value: unknown): unknown => (kindOf(value) === "invalid" ? Invalid.of(value, reasonFor(value)) : value);

/**
 * Message to text. Throws a TypeError, and nothing else, for what JSON can't carry: a cycle, a BigInt, a function.
 * Results are spliced in: 0.6 of the time that JSON.stringify takes for the whole message.
 */
export function stringify(message: Message | Batch): string {
  try {
    if (!Array.isArray(message)) return one(message as Message);
    // One call for all members: 0.4 of the time of one for each.
    return message.every(isPlain) ? JSON.stringify(message) : `[${message.map(one).join(",")}]`;
  } catch (cause) {
    // Nesting that exhausts the stack, text that is too long, a toJSON that throws.
    throw cause instanceof TypeError ? cause : new TypeError("The message can't be turned into JSON", { cause });
  }
}

function one(message: Message): string {
  if (!Object.hasOwn(message, "result")) return JSON.stringify(message);
  const { id, result } = message as Success;
  return `{"jsonrpc":"2.0","id":${idText(id)},"result":${resultText(result)}}`;
}

/** Whether JSON.stringify gives what `one` gives. */
function isPlain(message: Message): boolean {
  const { result } = message as { result?: { [encoded]?: string; toJSON?: unknown } | null };
  if (typeof result === "object") return !result?.toJSON && !result?.[encoded];
  return result === undefined
    ? !Object.hasOwn(message, "result")
    : typeof result !== "function" && typeof result !== "symbol";
}

const idText = (id: Id): string => (typeof id === "number" ? `${id}` : JSON.stringify(id));

const encoded = Symbol("encoded");

/**
 * Serialises a value once, for results that are sent again and again; the value must not change afterwards.
 * It stays an ordinary object for whoever reads it, transports that don't use text included.
 */
export function preserialize<T extends object>(value: T): T {
  return Object.defineProperty(value, encoded, { value: JSON.stringify(value) });
}

function resultText(result: unknown): string {
  if (typeof result === "object" && result !== null) {
    const ready = (result as { [encoded]?: string })[encoded];
    if (ready !== undefined) return ready;
  }
  const text = JSON.stringify(result);
  // JSON.stringify leaves such values out without a word; the response would have no result.
  if (text === undefined)
    throw new TypeError(`JSON can't carry this result: JSON.stringify gives nothing for a ${typeof result}`);
  return text;
}

/** Only what has more openers than the limit is looked at in full, so that ordinary messages pay nothing. */
function tooDeep(text: string, value: unknown): boolean {
  if (text.length <= 2 * MAX_DEPTH) return false;
  let openers = 0;
  for (const opener of "[{")
    for (let i = text.indexOf(opener); i !== -1 && openers <= MAX_DEPTH; i = text.indexOf(opener, i + 1)) openers++;
  return openers > MAX_DEPTH && isObject(value) && isDeeper(value, MAX_DEPTH);
}

/** Goes through the value, which takes a third of the time of going through its text. */
function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true;
  for (const member of Array.isArray(value) ? (value as unknown[]) : Object.values(value))
    if (isObject(member) && isDeeper(member, levels - 1)) return true;
  return false;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
