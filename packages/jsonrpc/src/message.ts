/** Links a response to its request. JSON-RPC 2.0 section 4: string, number or null; `0` and `""` are ids like any other. */
export type Id = string | number | null;

/** By-name parameters are an object, by-position parameters an array (section 4.2). */
export type Params = readonly unknown[] | { readonly [name: string]: unknown };

/** A call that wants a response. A request whose id is `null` is still a request (section 4). */
export interface Request {
  readonly jsonrpc: "2.0";
  readonly id: Id;
  readonly method: string;
  readonly params?: Params;
}

/** A message without an `id` member; nothing is ever sent back for it (section 4.1). */
export interface Notification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: Params;
}

/** A response that carries a result (section 5). */
export interface Success {
  readonly jsonrpc: "2.0";
  readonly id: Id;
  readonly result: unknown;
}

/** What went wrong (section 5.1). `code` is an integer. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A response that carries an error (section 5). */
export interface Failure {
  readonly jsonrpc: "2.0";
  readonly id: Id;
  readonly error: ErrorObject;
}

export type Response = Success | Failure;
export type Message = Request | Notification | Response;

/** Several messages that travel as one (section 6). */
export type Batch = readonly Message[];

export type Kind = "request" | "notification" | "success" | "failure" | "invalid";

/** The members that mean something in an untrusted object. */
export type Fields = { readonly [K in "jsonrpc" | "id" | "method" | "params" | "result" | "error"]?: unknown };

// Without this an id or method on a polluted Object.prototype would be read as the message's own.
export const own: typeof Object.hasOwn = Object.hasOwn;

export const isId = (id: unknown): id is Id => typeof id === "string" || Number.isFinite(id) || id === null;

export const isErrorObject = (error: unknown): error is ErrorObject =>
  Number.isInteger((error as ErrorObject | null)?.code) && typeof (error as ErrorObject).message === "string";

/**
 * What kind of message an untrusted value is. Reads own members only and ignores those it doesn't know.
 * A failure may come without an id, where the other side couldn't read the request's.
 */
export function kindOf(value: unknown): Kind {
  const message = value as Fields | undefined | null;
  if (message?.jsonrpc !== "2.0" || !own(message, "jsonrpc")) return "invalid";
  const { id, method, params, result, error } = message;
  const hasId = id !== undefined && own(message, "id");
  if (hasId && !isId(id)) return "invalid";
  if (method !== undefined && own(message, "method")) {
    if (typeof method !== "string") return "invalid";
    if (params !== undefined && (typeof params !== "object" || params === null) && own(message, "params"))
      return "invalid";
    return hasId ? "request" : "notification";
  }
  const hasResult = result !== undefined && own(message, "result");
  const hasError = error !== undefined && own(message, "error");
  if (hasResult === hasError) return "invalid";
  if (hasResult) return hasId ? "success" : "invalid";
  return isErrorObject(error) ? "failure" : "invalid";
}

export const isRequest = (value: unknown): value is Request => kindOf(value) === "request";
export const isNotification = (value: unknown): value is Notification => kindOf(value) === "notification";
export const isSuccess = (value: unknown): value is Success => kindOf(value) === "success";
export const isFailure = (value: unknown): value is Failure => kindOf(value) === "failure";
export const isResponse = (value: unknown): value is Response => isSuccess(value) || isFailure(value);

export const failure = (id: Id, error: ErrorObject): Failure => ({ jsonrpc: "2.0", id, error });
export const success = (id: Id, result: unknown): Success => ({ jsonrpc: "2.0", id, result });
export const notification = (method: string, params?: unknown): Notification =>
  params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params: params as Params };
