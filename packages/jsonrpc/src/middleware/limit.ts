import { RpcError, SERVER_ERROR } from "../errors.ts";
import type { Context, Middleware } from "../handler.ts";
import { watch } from "./after.ts";

export interface LimitOptions {
  /** Calls that may run at the same time. */
  readonly concurrency?: number | undefined;
  /** Calls that may start within `per` ms, at least 1; after a pause as many may start at once. */
  readonly rate?: number | undefined;
  /** ms (default 1,000). */
  readonly per?: number | undefined;
  /** What calls are counted by (default: their connection; calls without one are counted together). */
  readonly key?: ((call: Context) => unknown) | undefined;
}

/**
 * Refuses calls over a limit with -32000: data is `{ concurrency }`, or `{ rate, per, retryAfter }` with the ms after
 * which there will be room.
 */
export function limit(options: LimitOptions): Middleware<Context> {
  const { concurrency = Infinity, rate = Infinity, per = 1000, key } = options;
  const counts = new Counts(rate, per);
  return (call, next) => {
    const count = counts.of(key ? key(call) : call.connection);
    if (count.running >= concurrency) throw tooMany(`${concurrency} at a time`, { concurrency });
    counts.refill(count);
    if (count.left < 1) {
      const retryAfter = Math.ceil(((1 - count.left) * per) / rate);
      throw tooMany(`${rate} in ${per} ms`, { rate, per, retryAfter });
    }
    count.left--;
    count.running++;
    return watch(next, () => count.running--);
  };
}

const tooMany = (what: string, data: object): RpcError =>
  new RpcError(SERVER_ERROR, `Too many calls: at most ${what}`, data);

interface Count {
  running: number;
  /** Calls that could start at the time `at`, fractions included. */
  left: number;
  at: number;
}

/** Fewer keys than this are kept although they are idle. */
const FEW = 1000;

/** What each key has used. Objects are held weakly; other keys are let go when they are idle. */
class Counts {
  readonly #byObject = new WeakMap<object, Count>();
  readonly #byValue = new Map<unknown, Count>();
  readonly #rate: number;
  readonly #per: number;
  #many = FEW;

  constructor(rate: number, per: number) {
    this.#rate = rate;
    this.#per = per;
  }

  of(key: unknown): Count {
    const counts = (Object(key) === key ? this.#byObject : this.#byValue) as Map<unknown, Count>;
    let count = counts.get(key);
    if (!count) {
      if (this.#byValue.size >= this.#many) this.#sweep();
      counts.set(key, (count = { running: 0, left: this.#rate, at: performance.now() }));
    }
    return count;
  }

  refill(count: Count): void {
    if (this.#rate === Infinity) return;
    const now = performance.now();
    count.left = Math.min(this.#rate, count.left + ((now - count.at) / this.#per) * this.#rate);
    count.at = now;
  }

  #sweep(): void {
    for (const [key, count] of this.#byValue) {
      this.refill(count);
      if (count.running === 0 && count.left === this.#rate) this.#byValue.delete(key);
    }
    this.#many = Math.max(FEW, this.#byValue.size * 2);
  }
}
