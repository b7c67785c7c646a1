import { AbortError, isRpcError } from "../errors.ts";
import type { Middleware } from "../handler.ts";
import type { Outgoing } from "../outgoing.ts";
import { offAbort, onAbort } from "../signals.ts";

export interface RetryOptions {
  /** Methods that may run twice without harm. Calls of others are repeated only if they certainly were not sent. */
  readonly methods?: Iterable<string> | ((call: Outgoing) => boolean) | undefined;
  /** How often a call is sent, the first time included (default 4). */
  readonly attempts?: number | undefined;
  /** ms before the first repetition (default 1,000); it doubles from one to the next. */
  readonly delay?: number | undefined;
  /** The longest wait in ms (default 30,000). */
  readonly maxDelay?: number | undefined;
  /** The share of each wait that is left to chance, so that many callers don't come back at once (default 0.25). */
  readonly jitter?: number | undefined;
  /** Which errors of those methods are worth another attempt besides TimeoutError and ClosedError (default: none). */
  readonly when?: ((error: unknown, call: Outgoing) => boolean) | undefined;
}

/**
 * Sends a call again when its answer does not come. The id stays the same, so that the other side can recognise it (see
 * `deduplicate`), unless the profile wants a new one. An answer ends it, an error too unless `when` says otherwise; so
 * do the caller's signal, `maxTotalTimeout` and the end of the connection. `timeout` is for each attempt.
 */
export function retry(options: RetryOptions = {}): Middleware<Outgoing> {
  const { methods = [], attempts = 4, delay = 1000, maxDelay = 30_000, jitter = 0.25, when } = options;
  const listed = typeof methods === "function" ? methods : has(new Set(methods));
  return async (call, next) => {
    const total = call.options?.maxTotalTimeout ?? 0;
    const end = performance.now() + (total > 0 ? total : Infinity);
    for (let attempt = 1; ; attempt++) {
      try {
        return await next();
      } catch (error) {
        if (attempt >= attempts || !(unsent(error) || (listed(call) && (lost(error) || when?.(error, call)))))
          throw error;
        const wait = delay * 2 ** (attempt - 1) * (1 - jitter * Math.random());
        // A timer of more than 31 bits would fire at once.
        const pause = Math.min(Math.max(wait, retryAfter(error)), maxDelay, 2 ** 31 - 1);
        const left = end - performance.now() - pause;
        if (call.connection.ended.aborted || left <= 0) throw error;
        if (total > 0) call.options = { ...call.options, maxTotalTimeout: left };
        await sleep(pause, call);
      }
    }
  };
}

const has =
  (methods: ReadonlySet<string>) =>
  ({ method }: Outgoing): boolean =>
    methods.has(method);

const run = (wake: () => void): void => wake();

// By name, because another copy of this package has other classes.
const nameOf = (error: unknown): unknown => (error as Error | undefined)?.name;
const lost = (error: unknown): boolean => nameOf(error) === "TimeoutError" || nameOf(error) === "ClosedError";
const unsent = (error: unknown): boolean =>
  nameOf(error) === "ClosedError" && (error as { sent?: boolean }).sent === false;

/** `limit` tells when it is worth while. */
function retryAfter(error: unknown): number {
  const after = isRpcError(error) ? (error.data as { retryAfter?: unknown } | undefined)?.retryAfter : undefined;
  return typeof after === "number" ? after : 0;
}

/** Ends early when the connection does, whereupon the next attempt fails with the reason. */
function sleep(ms: number, { method, options, connection: { ended } }: Outgoing): Promise<void> {
  const signal = options?.signal;
  return new Promise((resolve, reject) => {
    const wake = (): void => {
      clearTimeout(timer);
      offAbort(ended, wake);
      if (signal) offAbort(signal, wake);
      if (signal?.aborted) reject(new AbortError(`"${method}" was aborted between two attempts`, signal.reason));
      else resolve();
    };
    const timer = setTimeout(wake, ms);
    onAbort(ended, wake, run);
    if (signal) onAbort(signal, wake, run);
    if (signal?.aborted) wake();
  });
}
