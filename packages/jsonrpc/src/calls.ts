import { AbortError, TimeoutError } from "./errors.ts";
import type { CallOptions } from "./handler.ts";
import type { Id } from "./message.ts";

interface Waiting {
  readonly id: Id;
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly options: CallOptions | undefined;
  readonly timeout: number;
  /** Clock times in ms at which the call ends; Infinity for never. */
  deadline: number;
  readonly limit: number;
  readonly onAbort: (() => void) | undefined;
}

type Timer = ReturnType<typeof setTimeout> & { ref?(): void; unref?(): void };

// Timers take a signed 32-bit number of ms and fire at once for more.
const LONGEST_TIMER = 2 ** 31 - 1;

const span = (ms: number | undefined, otherwise: number): number =>
  ms === undefined ? otherwise : ms > 0 ? ms : Infinity;

/**
 * Outgoing requests that wait for their answer. One timer serves them all: it is set for the next deadline and looks
 * at every call when it fires, so a call costs no timer of its own and progress only moves a number.
 */
export class Calls {
  readonly #waiting = new Map<Id, Waiting>();
  readonly #timeout: number;
  readonly #gaveUp: (id: Id, method: string, error: Error) => void;
  #timer: Timer | undefined;
  #wakes = Infinity;

  /** `timeout` is the default in ms; `gaveUp` is told of each call that this side ends. */
  constructor(timeout: number | undefined, gaveUp: (id: Id, method: string, error: Error) => void) {
    this.#timeout = span(timeout, 60_000);
    this.#gaveUp = gaveUp;
  }

  get size(): number {
    return this.#waiting.size;
  }

  has(id: Id): boolean {
    return this.#waiting.has(id);
  }

  add(
    id: Id,
    method: string,
    resolve: (result: unknown) => void,
    reject: (error: unknown) => void,
    options?: CallOptions,
  ): void {
    const timeout = span(options?.timeout, this.#timeout);
    const total = span(options?.maxTotalTimeout, Infinity);
    const now = timeout === Infinity && total === Infinity ? 0 : performance.now();
    const signal = options?.signal;
    const onAbort = signal && (() => this.#giveUp(id, new AbortError(`"${method}" was aborted`, signal.reason)));
    signal?.addEventListener("abort", onAbort!);
    const call = {
      id,
      method,
      resolve,
      reject,
      options,
      timeout,
      deadline: now + timeout,
      limit: now + total,
      onAbort,
    };
    this.#waiting.set(id, call);
    const wakes = Math.min(call.deadline, call.limit);
    if (wakes < this.#wakes) this.#arm(wakes, now);
    else if (this.#waiting.size === 1) this.#timer?.ref?.();
  }

  /** False when nobody waits for this id. */
  resolve(id: Id, result: unknown): boolean {
    const call = this.#take(id);
    call?.resolve(result);
    return call !== undefined;
  }

  /** False when nobody waits for this id. */
  reject(id: Id, error: unknown): boolean {
    const call = this.#take(id);
    call?.reject(error);
    return call !== undefined;
  }

  /** Everything that waits, at once, each with an error of its own. */
  rejectAll(error: (method: string) => Error): void {
    for (const { id, method } of [...this.#waiting.values()]) this.reject(id, error(method));
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wakes = Infinity;
  }

  /** Counts progress for a call's timeout and gives its listener. */
  progress(token: Id): CallOptions["onProgress"] {
    const call = this.#waiting.get(token);
    if (call?.options?.resetTimeoutOnProgress) call.deadline = performance.now() + call.timeout;
    return call?.options?.onProgress;
  }

  #take(id: Id): Waiting | undefined {
    const call = this.#waiting.get(id);
    if (!call) return undefined;
    this.#waiting.delete(id);
    if (call.onAbort) call.options?.signal?.removeEventListener("abort", call.onAbort);
    // The timer stays for the next call; until then it must not keep a process alive.
    if (this.#waiting.size === 0) this.#timer?.unref?.();
    return call;
  }

  #giveUp(id: Id, error: Error): void {
    const call = this.#take(id);
    if (!call) return;
    call.reject(error);
    this.#gaveUp(id, call.method, error);
  }

  #arm(wakes: number, now: number): void {
    clearTimeout(this.#timer);
    this.#wakes = wakes;
    this.#timer =
      wakes === Infinity
        ? undefined
        : setTimeout(() => this.#sweep(), Math.min(Math.max(Math.ceil(wakes - now), 1), LONGEST_TIMER));
  }

  #sweep(): void {
    const now = performance.now();
    let wakes = Infinity;
    for (const call of [...this.#waiting.values()]) {
      const end = Math.min(call.deadline, call.limit);
      if (end > now) wakes = Math.min(wakes, end);
      else
        this.#giveUp(
          call.id,
          new TimeoutError(
            call.method,
            call.limit <= now ? span(call.options?.maxTotalTimeout, Infinity) : call.timeout,
          ),
        );
    }
    this.#arm(wakes, now);
  }
}
