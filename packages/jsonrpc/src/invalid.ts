import { INVALID_REQUEST } from "./errors.ts";
import { type ErrorObject, type Failure, type Fields, type Id, failure, isId, unpolluted } from "./message.ts";

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

  /** Text or bytes that hold no whole message: no JSON, too long, not UTF-8, a broken header. */
  constructor(message: string, { code = INVALID_REQUEST, id = null, meant = "unknown" }: InvalidDetails = {}) {
    this.error = { code, message };
    this.id = id;
    this.meant = meant;
  }

  /** What to send back; undefined for a broken response. */
  get answer(): Failure | undefined {
    return this.meant === "response" ? undefined : failure(this.id, this.error);
  }

  /** A value that is no message, and why (-32600, its id echoed). An `Invalid` is returned as it is. */
  static of(value: unknown, reason = "expected a JSON-RPC 2.0 message"): Invalid {
    if (value instanceof Invalid) return value;
    const { id, method, result, error } = (unpolluted(value) ?? {}) as Fields;
    const meant =
      method !== undefined ? "request" : result !== undefined || error !== undefined ? "response" : "unknown";
    return new Invalid(`Invalid Request: ${reason}`, { id: isId(id) ? id : null, meant });
  }
}
