import type { Arguments, MethodOf, ResultOf, Untyped } from "./contract.ts";
import type { Id } from "./message.ts";
import type { Info } from "./transport.ts";

/** What a call shows to middleware, whichever way it goes. */
export interface Call {
  readonly method: string;
  /** Middleware may replace it before calling `next`. */
  params: unknown;
  /** Undefined for a notification, and for a request that has not been given one yet. */
  readonly id: Id | undefined;
  /** Aborted when the call is cancelled, runs out of time, or the connection ends. */
  readonly signal: AbortSignal;
  /** For middleware and handlers to pass things on; empty at first. */
  readonly state: Record<PropertyKey, unknown>;
}

/** Sends to the other side of the connection that a call came from. Both may be taken out: `(params, { notify }) => …`. */
export interface Caller<C = Untyped> {
  request<M extends MethodOf<C>>(this: void, method: M, ...args: Arguments<C, M, CallOptions>): Promise<ResultOf<C, M>>;
  notify<M extends MethodOf<C>>(this: void, method: M, ...args: Arguments<C, M, undefined>): Promise<void>;
}

/** An incoming request or notification, as its handler sees it. `request` and `notify` are sent on its behalf. */
export interface Context<Env extends Environment = Environment> extends Call, Caller<RemoteOf<Env>> {
  readonly info: Env["info"];
  /** The same object for every call of one connection, to keep things per connection by; undefined without one. */
  readonly connection: object | undefined;
  /** Aborts `signal`. What the handler still answers is sent. */
  abort(reason: unknown): void;
  readonly state: Env["state"] & Record<PropertyKey, unknown>;
}

/** Types for `context.info`, `context.state`, and what `context.request` and `context.notify` may ask of the other side. */
export interface Environment {
  readonly info: Info;
  readonly state: object;
  /** The other side's contract; unknown if anything may be asked. */
  readonly remote: unknown;
}

type RemoteOf<Env extends Environment> = unknown extends Env["remote"] ? Untyped : Env["remote"];

export interface CallOptions {
  /** ms to wait for the answer (default 60,000); 0 or Infinity waits for ever. Rejects with a TimeoutError. */
  readonly timeout?: number | undefined;
  /** Start `timeout` anew with each progress notification. */
  readonly resetTimeoutOnProgress?: boolean | undefined;
  /** ms after which the call ends whatever progress comes. */
  readonly maxTotalTimeout?: number | undefined;
  /** Gives the call up. Rejects with an AbortError whose `cause` is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The request's id, for protocols that need to know it beforehand (default: the peer makes one). */
  readonly id?: Id | undefined;
  /** Called with the parameters of each progress notification, where the profile has progress. */
  readonly onProgress?: ((params: unknown) => unknown) | undefined;
}

/** Answers a method. A promise is awaited; what is thrown becomes the error (see RpcError). */
export type Handler<P = unknown, R = unknown, Env extends Environment = Environment> = (
  params: P,
  context: Context<Env>,
) => R | Promise<R>;

/** Whatever answers incoming calls: a service, or a protocol on top of this package. */
export interface Dispatcher {
  dispatch(context: Context): unknown;
  /** Takes a request whose id is still in flight on its connection; left out, such a request is refused (-32600). */
  repeat?(context: Context): unknown;
}

/**
 * Runs around a call and gives its result. `next()` goes on inwards; it may be called again, or not at all.
 * It returns what the inner part returns: a value, or a promise where the inner part is asynchronous.
 */
export type Middleware<C extends Call = Call> = (call: C, next: () => unknown) => unknown;

/** One function from many: the first middleware is the outermost. Costs nothing where there is none. */
export function compose<C extends Call>(
  middleware: readonly Middleware<C>[],
  last: (call: C) => unknown,
): (call: C) => unknown {
  return middleware.reduceRight<(call: C) => unknown>((inner, layer) => (call) => layer(call, () => inner(call)), last);
}

export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | undefined | null)?.then === "function";
