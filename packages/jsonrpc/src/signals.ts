type Aborted<T> = (item: T) => void;

/** Everything that a signal ends, and what to call for it. */
class Listeners extends Map<unknown, Aborted<never>> {
  handleEvent(): void {
    for (const [item, aborted] of this) aborted(item as never);
  }
}

const bySignal = /* @__PURE__ */ new WeakMap<AbortSignal, Listeners>();

/**
 * Calls `aborted` with the item when the signal is aborted. One event listener a signal, however many calls and
 * connections there are: Node warns of more than ten, and goes through them all to take one away.
 */
export function onAbort<T>(signal: AbortSignal, item: T, aborted: Aborted<T>): void {
  let listeners = bySignal.get(signal);
  if (!listeners) {
    listeners = new Listeners();
    signal.addEventListener("abort", listeners);
    bySignal.set(signal, listeners);
  }
  listeners.set(item, aborted);
}

/** Takes the item away again. */
export function offAbort(signal: AbortSignal, item: unknown): void {
  const listeners = bySignal.get(signal);
  if (!listeners?.delete(item) || listeners.size > 0) return;
  bySignal.delete(signal);
  signal.removeEventListener("abort", listeners);
}
