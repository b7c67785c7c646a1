import type { ErrorObject } from "../message.ts";

/** How a call ended, in a form that JSON can carry. */
export type Answer = { readonly result?: unknown; readonly error?: undefined } | { readonly error: ErrorObject };

/**
 * What `deduplicate` remembers of calls. One that is shared, say in Redis, lets several processes run a call once. Every
 * method may be asynchronous; where one rejects, the call is answered with -32603.
 */
export interface AnswerStore {
  /**
   * The answer to the call with this key; where that call is running, a promise of it. Undefined where there is none:
   * the caller has to run the call, and nobody else may for `ttl` ms or until it is kept or released.
   */
  claim(key: string, ttl: number): Answer | undefined | Promise<Answer | undefined>;
  /** The call has ended: its answer is given to all who wait for it, and to all who claim it in the next `ttl` ms. */
  keep(key: string, answer: Answer, ttl: number): void | Promise<void>;
  /** The call has ended without an answer: one of those who wait, or else the next claim, has to run it again. */
  release(key: string): void | Promise<void>;
}

type Waiter = (answer?: Answer) => void;

/** Answers in memory. When there are more than `max`, those that were asked for the longest ago are given up. */
export class MemoryAnswers implements AnswerStore {
  readonly #kept = new Map<string, { readonly answer: Answer; readonly until: number }>();
  readonly #running = new Map<string, Waiter[]>();
  readonly #max: number;

  constructor(max = 1000) {
    this.#max = max;
  }

  claim(key: string): Answer | undefined | Promise<Answer | undefined> {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    if (kept && kept.until > performance.now()) {
      this.#kept.set(key, kept);
      return kept.answer;
    }
    const waiters = this.#running.get(key);
    if (waiters) return new Promise((resolve) => waiters.push(resolve));
    this.#running.set(key, []);
    return undefined;
  }

  keep(key: string, answer: Answer, ttl: number): void {
    const now = performance.now();
    this.#kept.set(key, { answer, until: now + ttl });
    for (const [old, { until }] of this.#kept) {
      if (until > now && this.#kept.size <= this.#max) break;
      this.#kept.delete(old);
    }
    const waiters = this.#running.get(key) ?? [];
    this.#running.delete(key);
    for (const resolve of waiters) resolve(answer);
  }

  release(key: string): void {
    const waiter = this.#running.get(key)?.shift();
    if (waiter) waiter();
    else this.#running.delete(key);
  }
}
