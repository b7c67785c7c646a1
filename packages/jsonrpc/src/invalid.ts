import { INVALID_REQUEST } from "./errors.ts";
import { type ErrorObject, type Failure, type Fields, type Id, failure, isErrorObject, isId } from "./message.ts";

/** What broken input was meant to be, as far as can be told. */
export type Meant = "request" | "response" | "unknown";

/** What is known about input that holds no message. */
export interface InvalidDetails {
  /** Default -32600. */
  readonly code?: number | undefined;
  readonly id?: Id | undefined;
  readonly meant?: Meant | undefined;
}

/**
 * Input that is no message, as a value: it says what was wrong and already holds the answer to send.
 * There is no answer to what was meant as a response, since answering an answer could go on for ever.
 */
export class Invalid {
  readonly error: ErrorObject;
  /** The id where it could be read, else null. */
  readonly id: Id;
  readonly meant: Meant;

  constructor(error: ErrorObject, id: Id = null, meant: Meant = "unknown") {
    this.error = error;
    this.id = id;
    this.meant = meant;
  }

  /** What to send back; undefined for a broken response. */
  get answer(): Failure | undefined {
    return this.meant === "response" ? undefined : failure(this.id, this.error);
  }

  /**
   * A value that is no message, or that is refused for a reason of the caller's (-32600, its id echoed).
   * An `Invalid` is returned as it is.
   */
  static of(value: unknown, refusal?: string): Invalid {
    if (value instanceof Invalid) return value;
    const fields = ownFields(value);
    const reason = refusal ?? (fields ? reasonFor(fields) : `expected an object, got ${nameOf(value)}`);
    const id = isId(fields?.id) ? fields.id : null;
    return Invalid.frame(`Invalid Request: ${reason}`, { id, meant: fields && meantBy(fields) });
  }

  /** Text or bytes that hold no whole message: no JSON, too long, not UTF-8, a broken header. */
  static frame(message: string, { code = INVALID_REQUEST, id, meant }: InvalidDetails = {}): Invalid {
    return new Invalid({ code, message }, id, meant);
  }
}

const NAMES = ["jsonrpc", "id", "method", "params", "result", "error"] as const;

/** An object's own members that mean something; undefined for what is no object. */
function ownFields(value: unknown): Fields | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const fields: { -readonly [K in keyof Fields]: unknown } = Object.create(null);
  for (const name of NAMES) if (Object.hasOwn(value, name)) fields[name] = (value as Fields)[name];
  return fields;
}

function meantBy({ method, result, error }: Fields): Meant {
  if (method !== undefined) return "request";
  return result !== undefined || error !== undefined ? "response" : "unknown";
}

function nameOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value !== "object") return `a ${typeof value}`;
  return Array.isArray(value) ? "an array" : "an object";
}

function reasonFor({ jsonrpc, id, method, params, result, error }: Fields): string {
  if (jsonrpc !== "2.0") return 'expected "jsonrpc": "2.0"';
  if (method === undefined) {
    if (result !== undefined && error !== undefined) return 'a response has both "result" and "error"';
    if (error !== undefined && !isErrorObject(error))
      return 'an "error" needs an integer "code" and a string "message"';
    if (result === undefined && error === undefined) return 'neither "method" nor "result" nor "error" is there';
  } else {
    if (typeof method !== "string") return `"method" must be a string, got ${nameOf(method)}`;
    if (params !== undefined && (typeof params !== "object" || params === null))
      return `"params" must be an object or an array, got ${nameOf(params)}`;
  }
  return `"id" must be a string, a number or null, got ${nameOf(id)}`;
}
