interface Watched<T> {
  readonly items: Set<T>;
  readonly listener: () => void;
}

/**
 * What ends when a signal is aborted. One listener a signal, however many items there are: Node warns of more than ten,
 * and goes through them all to take one away.
 */
export class Signals<T> {
  readonly #watched = new Map<AbortSignal, Watched<T>>();
  readonly #aborted: (item: T, signal: AbortSignal) => void;

  constructor(aborted: (item: T, signal: AbortSignal) => void) {
    this.#aborted = aborted;
  }

  add(signal: AbortSignal, item: T): void {
    let watched = this.#watched.get(signal);
    if (!watched) {
      const items = new Set<T>();
      const listener = (): void => {
        for (const each of [...items]) this.#aborted(each, signal);
      };
      signal.addEventListener("abort", listener);
      watched = { items, listener };
      this.#watched.set(signal, watched);
    }
    watched.items.add(item);
  }

  delete(signal: AbortSignal, item: T): void {
    const watched = this.#watched.get(signal);
    watched?.items.delete(item);
    if (watched?.items.size !== 0) return;
    this.#watched.delete(signal);
    signal.removeEventListener("abort", watched.listener);
  }
}
