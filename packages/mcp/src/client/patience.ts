import { AbortError, TimeoutError } from "@x/jsonrpc";
import { LONGEST_TIMER } from "../longest-timer.ts";

interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** ms; undefined, 0 and Infinity are for ever. */
  readonly timeout?: number | undefined;
}

/**
 * How long a caller waits for something that takes several requests. `signal` is aborted when its own signal is, or when
 * the time is over; its reason is the error that the caller is to get.
 */
export class Patience {
  readonly #method: string;
  readonly #controller = new AbortController();
  readonly #given: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  /** `method` is what the caller waits for, as errors name it; it has waited since then, ms of `performance.now()`. */
  constructor(method: string, { signal, timeout = 0 }: Limits, since: number) {
    this.#method = method;
    this.#given = signal;
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener("abort", this.#abort);
    if (timeout > 0 && timeout <= LONGEST_TIMER) {
      const left = since + timeout - performance.now();
      this.#timer = setTimeout(() => this.#controller.abort(new TimeoutError(method, timeout)), left);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Settles as `promise` does, if that is in time; otherwise `late` gets what still comes. */
  async over<T>(promise: Promise<T>, late: (value: T) => void): Promise<T> {
    const { signal } = this;
    return await new Promise<T>((resolve, reject) => {
      const giveUp = (): void => {
        reject(signal.reason);
        promise.then(late, () => {});
      };
      if (signal.aborted) return giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
    });
  }

  /** Resolves after `ms`, or when patience is at its end. */
  pause(ms: number): Promise<void> {
    const { signal } = this;
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, LONGEST_TIMER));
      signal.addEventListener("abort", done);
      if (signal.aborted) done();
    });
  }

  /** Tells whoever still works for this that it is over. */
  giveUp(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Nobody waits any more. */
  end(): void {
    clearTimeout(this.#timer);
    this.#given?.removeEventListener("abort", this.#abort);
  }

  readonly #abort = (): void =>
    this.#controller.abort(new AbortError(`"${this.#method}" was aborted`, this.#given?.reason));
}
