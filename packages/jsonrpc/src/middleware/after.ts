import { isPromise } from "../handler.ts";

/**
 * Goes on with a value: in the same turn if it is there, so that middleware doesn't make a promise of a handler that
 * needs none.
 */
export function after<T, R>(
  value: T | PromiseLike<T>,
  goOn: (value: T) => R,
  failed?: (error: unknown) => R,
): R | PromiseLike<R> {
  return isPromise(value) ? value.then(goOn, failed) : goOn(value);
}

/** As `after`, with what `run` gives or throws. */
export function settle(
  run: () => unknown,
  goOn: (value: unknown) => unknown,
  failed: (error: unknown) => unknown,
): unknown {
  let value: unknown;
  try {
    value = run();
  } catch (error) {
    return failed(error);
  }
  return after(value, goOn, failed);
}

/**
 * Tells `ended` how `run` ended, and gives what it gave: a promise as it is, without another one. What `ended` throws
 * goes unheard: it must not become the call's outcome, nor a rejection that ends the process.
 */
export function watch(run: () => unknown, ended: (outcome: unknown, failed?: boolean) => void): unknown {
  const tell = (failed?: boolean) => (outcome: unknown) => {
    try {
      ended(outcome, failed);
    } catch {}
  };
  let value: unknown;
  try {
    value = run();
  } catch (error) {
    tell(true)(error);
    throw error;
  }
  if (isPromise(value)) void value.then(tell(), tell(true));
  else tell()(value);
  return value;
}
