import type { CacheHints } from "../model/caching.ts";

interface Kept {
  readonly result: object;
  /** ms of `performance.now()`. */
  readonly until: number;
}

/** Answers beyond this many push out the oldest. */
const MAX_KEPT = 1000;

/**
 * Keeps answers for as long as the server calls them fresh (server/utilities/caching), by method and what was asked
 * for. One client has one cache and one authorization, so that it may keep private answers too.
 */
export class ResponseCache {
  readonly #kept = new Map<string, Map<string, Kept>>();
  /** How often something has changed, by method: an answer that was on its way meanwhile may be stale. */
  readonly #changes = new Map<string, number>();

  /** `what` is the cursor or the URI. */
  get(method: string, what: string): object | undefined {
    const kept = this.#kept.get(method)?.get(what);
    if (kept && performance.now() < kept.until) return kept.result;
    this.#kept.get(method)?.delete(what);
    return undefined;
  }

  /** Call it when the request goes out, and what it gives with the answer. */
  keeper(method: string, what: string): (result: unknown) => void {
    const before = this.#changes.get(method);
    return (result) => {
      const { ttlMs, resultType = "complete" } = (result ?? {}) as CacheHints & { readonly resultType?: string };
      if (typeof ttlMs !== "number" || ttlMs <= 0) return;
      if (resultType !== "complete" || this.#changes.get(method) !== before) return;
      this.#put(method, what, { result: result as object, until: performance.now() + ttlMs });
    };
  }

  /** The answers to a method are stale: all, or those that `what` is about. */
  changed(method: string, isStale: (what: string) => boolean = () => true): void {
    this.#changes.set(method, (this.#changes.get(method) ?? 0) + 1);
    const kept = this.#kept.get(method);
    for (const what of kept?.keys() ?? []) if (isStale(what)) kept?.delete(what);
  }

  #put(method: string, what: string, kept: Kept): void {
    let answers = this.#kept.get(method);
    if (!answers) this.#kept.set(method, (answers = new Map()));
    answers.delete(what);
    answers.set(what, kept);
    const [oldest] = answers.keys();
    if (answers.size > MAX_KEPT && oldest !== undefined) answers.delete(oldest);
  }
}
