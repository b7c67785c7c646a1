interface Watched {
  /** What to call for each item. */
  readonly items: Map<unknown, (item: never, signal: AbortSignal) => void>;
  readonly listener: () => void;
}

const watched = /* @__PURE__ */ new WeakMap<AbortSignal, Watched>();

/**
 * What ends when a signal is aborted. One listener a signal, however many items and connections there are: Node warns
 * of more than ten, and goes through them all to take one away.
 */
export class Signals<T> {
  readonly #aborted: (item: T, signal: AbortSignal) => void;

  constructor(aborted: (item: T, signal: AbortSignal) => void) {
    this.#aborted = aborted;
  }

  add(signal: AbortSignal, item: T): void {
    let watch = watched.get(signal);
    if (!watch) {
      const items: Watched["items"] = new Map();
      const listener = (): void => {
        for (const [each, aborted] of [...items]) aborted(each as never, signal);
      };
      signal.addEventListener("abort", listener);
      watch = { items, listener };
      watched.set(signal, watch);
    }
    watch.items.set(item, this.#aborted);
  }

  delete(signal: AbortSignal, item: T): void {
    const watch = watched.get(signal);
    watch?.items.delete(item);
    if (watch?.items.size !== 0) return;
    watched.delete(signal);
    signal.removeEventListener("abort", watch.listener);
  }
}
