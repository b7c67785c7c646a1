import type { ErrorObject, Id } from "./message.ts";

/** Invalid JSON (section 5.1). */
export const PARSE_ERROR = -32700;
/** JSON, but no JSON-RPC message (section 5.1). */
export const INVALID_REQUEST = -32600;
/** The method doesn't exist or isn't available (section 5.1). */
export const METHOD_NOT_FOUND = -32601;
/** Parameters that don't fit the method (section 5.1). */
export const INVALID_PARAMS = -32602;
/** A fault on the answering side that isn't the caller's (section 5.1). */
export const INTERNAL_ERROR = -32603;
/** First of the range -32099…-32000 that section 5.1 leaves to servers: overload, time limits and the like. */
export const SERVER_ERROR = -32000;

/** Who is speaking: the protocol itself, the service's infrastructure, or the application. */
export type Layer = "protocol" | "infrastructure" | "application";

/** protocol: -32768…-32600; infrastructure: -32099…-32000; application: every other code. */
export function layerOf(code: number): Layer {
  if (code >= -32768 && code <= -32600) return "protocol";
  return code >= -32099 && code <= -32000 ? "infrastructure" : "application";
}

/**
 * The one error that crosses the wire with its code, message and data. A handler throws it; the caller catches it.
 * Whatever else a handler throws leaves as -32603 with a fixed text, and its cause goes to `onError` on this side.
 */
export class RpcError<Data = unknown> extends Error {
  override name = "RpcError";
  readonly code: number;
  readonly data: Data;

  constructor(code: number, message: string, data?: Data, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.data = data as Data;
  }

  /** Tells this class from look-alikes in any copy of this package. Not enumerable, so it shows up nowhere. */
  get "@x/jsonrpc/RpcError"(): true {
    return true;
  }

  /** True for an RpcError of any copy or version of this package, where `instanceof` may fail. */
  static is(error: unknown): error is RpcError {
    return isRpcError(error);
  }
}

/** `RpcError.is`, for code that needs nothing else of the class and so keeps it out of its bundle. */
export const isRpcError = (error: unknown): error is RpcError =>
  (error as { "@x/jsonrpc/RpcError"?: unknown } | undefined | null)?.["@x/jsonrpc/RpcError"] === true;

type Arguments<Data> = undefined extends Data ? [data?: Data, message?: string] : [data: Data, message?: string];

/** A class of errors that share one code. */
export interface ErrorType<Data = unknown> {
  new (...args: Arguments<Data>): RpcError<Data>;
  readonly code: number;
}

/**
 * A base class for an application's own error: `class RoomTaken extends errorType<{ until: string }>(1001, "taken") {}`.
 * The server throws `new RoomTaken({ until })`; a peer given `errors: [RoomTaken]` rejects with that class.
 */
export function errorType<Data = undefined>(code: number, message: string): ErrorType<Data> {
  return class extends RpcError<Data> {
    static readonly code = code;
    constructor(...[data, text = message]: Arguments<Data>) {
      super(code, text, data);
      this.name = new.target.name;
    }
  };
}

/** As `ErrorType`, for lists whose members have data of different types. */
export type AnyErrorType = { new (data: never, message?: string): RpcError; readonly code: number };

/** A received error as the class that is registered for its code, else a plain RpcError. */
export function errorFrom({ code, message, data }: ErrorObject, types?: readonly AnyErrorType[]): RpcError {
  const Type = types?.findLast((type) => type.code === code);
  try {
    if (Type) return new Type(data as never, message);
  } catch {
    // The class expects other data than the far side sent. What it did send is worth more than that error.
  }
  return new RpcError(code, message, data);
}

/** What the other side is shown of errors that are none of its business. */
export const INTERNAL: ErrorObject = { code: INTERNAL_ERROR, message: "Internal error" };

/** What of an error may be shown to the other side; `INTERNAL` for all but an RpcError, with a code that can be sent. */
export function errorObject(error: unknown): ErrorObject {
  if (!isRpcError(error) || !Number.isInteger(error.code)) return INTERNAL;
  const { code, message, data } = error;
  return data === undefined ? { code, message } : { code, message, data };
}

/** Why a request is refused whose id another one has. */
export const inFlight = (id: Id): string => `the id ${JSON.stringify(id)} is already in flight`;

/** No answer in time. Local: it has no code and was not sent by the other side. */
export class TimeoutError extends Error {
  override name = "TimeoutError";
  readonly method: string;
  /** How long the call had, in ms. */
  readonly timeout: number;

  constructor(method: string, timeout: number) {
    super(`No answer to "${method}" within ${timeout} ms`);
    this.method = method;
    this.timeout = timeout;
  }
}

/** The caller's own signal ended the call; `cause` is the signal's reason. */
export class AbortError extends Error {
  override name = "AbortError";

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** The connection is gone; `cause` is why, if the transport knew. */
export class ClosedError extends Error {
  override name = "ClosedError";
  /** False where the call certainly never left this side, so that repeating it can't run it twice. */
  readonly sent: boolean;

  constructor(message: string, options: { cause?: unknown; sent: boolean }) {
    super(message, options);
    this.sent = options.sent;
  }
}

/** The other side answered, but not with a JSON-RPC response. */
export class InvalidResponseError extends Error {
  override name = "InvalidResponseError";
  readonly id: Id;

  constructor(message: string, id: Id) {
    super(message);
    this.id = id;
  }
}
