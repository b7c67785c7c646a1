import { isPromise } from "./handler.ts";

/** Where a reported error came from: a handler that threw, a message that made no sense, or the transport. */
export type ErrorOrigin = "handler" | "message" | "transport";

export type Report = (error: unknown, origin: ErrorOrigin) => void;

/** Errors of handlers must not vanish; the others are the far side's doing and could flood a log. */
const byDefault: Report = (error, origin) => {
  if (origin === "handler") console.error(error);
};

/** The user's hook, made safe: what it throws itself must not break the connection. */
export const reporter =
  (onError: Report = byDefault): Report =>
  (error, origin) =>
    attempt(() => onError(error, origin), console.error);

/** Calls a hook, which may be asynchronous, and tells `failed` what it throws or rejects with. */
export function attempt(hook: () => unknown, failed: (error: unknown) => void): void {
  try {
    const outcome = hook();
    if (isPromise(outcome)) outcome.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}
