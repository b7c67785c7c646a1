import type { ReconnectOptions } from "./options.ts";

/** How long to wait before the next try. */
export class Backoff {
  readonly #initial: number;
  readonly #max: number;
  readonly #attempts: number;
  #failed = 0;
  /** What the server asked for, in ms. */
  #retry: number | undefined;

  constructor({ initial = 1000, max = 30_000, attempts = 5 }: ReconnectOptions = {}) {
    this.#initial = initial;
    this.#max = max;
    this.#attempts = attempts;
  }

  /** So many tries in a row have failed that there should be no more. */
  get exhausted(): boolean {
    return this.#failed >= this.#attempts;
  }

  /** ms. The server's word counts as a minimum; only what this side chooses is spread, so that clients don't come all at once. */
  get delay(): number {
    if (this.#failed === 0 && this.#retry !== undefined) return this.#retry;
    const own = Math.min(this.#max, this.#initial * 2 ** Math.max(0, this.#failed - 1)) * (0.5 + Math.random() / 2);
    return Math.max(this.#retry ?? 0, own);
  }

  ask(retry: number): void {
    this.#retry = Math.min(Math.max(retry, MIN_RETRY), MAX_RETRY);
  }

  failed(): void {
    this.#failed++;
  }

  succeeded(): void {
    this.#failed = 0;
  }
}

/** A server that wants to be asked at once, and has nothing to say, would be asked as fast as the network allows. */
const MIN_RETRY = 10;

/** A server that asks for more than a day means never, and timers take no more than 24. */
const MAX_RETRY = 86_400_000;

type Timer = ReturnType<typeof setTimeout> & { unref?(): void };

/** Resolves after `ms`, or as soon as the signal is aborted. Keeps no process alive. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer: Timer = setTimeout(done, ms);
    timer.unref?.();
    signal.addEventListener("abort", done);
  });
}
