import { isPromise } from "../handler.ts";

/**
 * Runs `run` and goes on with how it ended: in the same turn where it ended at once, so that middleware doesn't make a
 * promise of a handler that needs none.
 */
export function settle(
  run: () => unknown,
  succeeded: (value: unknown) => unknown,
  failed: (error: unknown) => unknown,
): unknown {
  let outcome: unknown;
  try {
    outcome = run();
  } catch (error) {
    return failed(error);
  }
  return isPromise(outcome) ? outcome.then(succeeded, failed) : succeeded(outcome);
}
