import { INVALID_REQUEST, PARSE_ERROR } from "./errors.ts";
import { type ErrorObject, type Failure, type Id, failure } from "./message.ts";

/**
 * Input that is no message, as a value: it says what was wrong and already holds the answer to send.
 * There is no answer to what was meant as a response, since answering an answer could go on for ever.
 */
export class Invalid {
  readonly error: ErrorObject;
  /** The id where it could be read, else null. */
  readonly id: Id;
  /** What to send back; undefined for a broken response. */
  readonly answer: Failure | undefined;

  constructor(error: ErrorObject, id: Id = null, response = false) {
    this.error = error;
    this.id = id;
    this.answer = response ? undefined : failure(id, error);
  }

  /** Text that is not JSON (-32700). */
  static json(cause: unknown): Invalid {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new Invalid({ code: PARSE_ERROR, message: `Parse error: ${reason}` });
  }

  /** A value that is no message (-32600, its id echoed). An `Invalid` is returned as it is. */
  static of(value: unknown): Invalid {
    if (value instanceof Invalid) return value;
    const response = isLikeResponse(value);
    return new Invalid(
      { code: INVALID_REQUEST, message: `Invalid Request: ${reasonFor(value)}` },
      idOf(value),
      response,
    );
  }

  /** Bytes that hold no whole message: too long, not UTF-8, a broken header (-32600 unless told otherwise). */
  static frame(message: string, id: Id = null, response = false, code: number = INVALID_REQUEST): Invalid {
    return new Invalid({ code, message }, id, response);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function idOf(value: unknown): Id {
  if (!isObject(value) || !Object.hasOwn(value, "id")) return null;
  const { id } = value;
  return typeof id === "string" || Number.isFinite(id) ? (id as Id) : null;
}

const isLikeResponse = (value: unknown): boolean =>
  isObject(value) && value["method"] === undefined && (Object.hasOwn(value, "result") || Object.hasOwn(value, "error"));

const nameOf = (value: unknown): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "an array"
      : `${typeof value === "object" ? "an" : "a"} ${typeof value}`;

function reasonFor(value: unknown): string {
  if (!isObject(value)) return `expected an object, got ${nameOf(value)}`;
  if (value["jsonrpc"] !== "2.0") return 'expected "jsonrpc": "2.0"';
  if (isLikeResponse(value)) {
    if (value["result"] !== undefined && value["error"] !== undefined)
      return 'a response has both "result" and "error"';
    if (value["result"] !== undefined) return 'a response needs an "id" that is a string, a number or null';
    return 'an "error" needs an integer "code" and a string "message"';
  }
  if (value["method"] === undefined) return 'neither "method" nor "result" nor "error" is there';
  if (typeof value["method"] !== "string") return `"method" must be a string, got ${nameOf(value["method"])}`;
  const { params } = value;
  if (params !== undefined && (typeof params !== "object" || params === null))
    return `"params" must be an object or an array, got ${nameOf(params)}`;
  return `"id" must be a string, a number or null, got ${nameOf(value["id"])}`;
}
