import { RpcError, SERVER_ERROR } from "../errors.ts";
import { type Context, type Middleware, isPromise } from "../handler.ts";

/**
 * Answers calls whose handler takes longer than `ms` with -32000 and `{ timeLimit: ms }`, and aborts their signal. What
 * the handler does after that is nobody's concern any more. Given a function, each call has its own limit; undefined is
 * none.
 */
export function timeLimit(ms: number | ((call: Context) => number | undefined)): Middleware<Context> {
  return (call, next) => {
    const limit = typeof ms === "number" ? ms : ms(call);
    const outcome = next();
    // A timer of more ms would fire at once.
    if (limit === undefined || limit >= 2 ** 31 || !isPromise(outcome)) return outcome;
    return new Promise((resolve, reject) => {
      // Two errors: with the signal's own reason the handler would seem to have heeded it.
      const late = (): RpcError =>
        new RpcError(SERVER_ERROR, `"${call.method}" took longer than ${limit} ms`, { timeLimit: limit });
      const timer = setTimeout(() => {
        call.abort(late());
        reject(late());
      }, limit);
      const settled = (): void => clearTimeout(timer);
      outcome.then(resolve, reject);
      outcome.then(settled, settled);
    });
  };
}
