import { AbortError, TimeoutError } from "./errors.ts";
import type { Id } from "./message.ts";
import type { Outgoing } from "./outgoing.ts";
import { Signals } from "./signals.ts";

/** A call that waits for its answer. */
export interface Waiting {
  /** The call's own may change when it is sent again. */
  readonly id: Id;
  readonly call: Outgoing;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly timeout: number;
  /** Clock times in ms at which the call ends; Infinity for never. */
  deadline: number;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
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
  readonly #signals = new Signals<Waiting>((waiting, { reason }) =>
    this.#giveUp(waiting, new AbortError(`"${waiting.call.method}" was aborted`, reason)),
  );
  readonly #timeout: number;
  readonly #gaveUp: (waiting: Waiting, error: Error) => void;
  #timer: Timer | undefined;
  #wakes = Infinity;

  /** `timeout` is the default in ms; `gaveUp` is told of each call that this side ends. */
  constructor(timeout: number | undefined, gaveUp: (waiting: Waiting, error: Error) => void) {
    this.#timeout = span(timeout, 60_000);
    this.#gaveUp = gaveUp;
  }

  add(id: Id, call: Outgoing, resolve: (result: unknown) => void, reject: (error: unknown) => void): void {
    const { options } = call;
    const timeout = span(options?.timeout, this.#timeout);
    const total = span(options?.maxTotalTimeout, Infinity);
    const now = timeout === Infinity && total === Infinity ? 0 : performance.now();
    const signal = options?.signal;
    const waiting = { id, call, resolve, reject, timeout, deadline: now + timeout, limit: now + total, signal };
    if (signal) this.#signals.add(signal, waiting);
    this.#waiting.set(id, waiting);
    const wakes = Math.min(waiting.deadline, waiting.limit);
    if (wakes < this.#wakes) this.#arm(wakes, now);
    else if (this.#waiting.size === 1) this.#timer?.ref?.();
  }

  get size(): number {
    return this.#waiting.size;
  }

  get(id: Id): Waiting | undefined {
    return this.#waiting.get(id);
  }

  all(): Waiting[] {
    return [...this.#waiting.values()];
  }

  /** Ends the wait for this id; undefined when nobody waits for it. */
  take(id: Id): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    this.#waiting.delete(id);
    if (waiting.signal) this.#signals.delete(waiting.signal, waiting);
    // The timer stays for the next call; until then it must not keep a process alive.
    if (this.#waiting.size === 0) this.#timer?.unref?.();
    return waiting;
  }

  /** Counts progress for a call's timeout; undefined when nobody waits for it. */
  progress(token: Id | undefined): Waiting | undefined {
    const waiting = this.#waiting.get(token as Id);
    if (waiting?.call.options?.resetTimeoutOnProgress) waiting.deadline = performance.now() + waiting.timeout;
    return waiting;
  }

  /** Takes everything that waits. */
  clear(): Waiting[] {
    const all = this.all();
    for (const { id } of all) this.take(id);
    this.#arm(Infinity, 0);
    return all;
  }

  #giveUp(waiting: Waiting, error: Error): void {
    if (this.#waiting.get(waiting.id) !== waiting) return;
    this.take(waiting.id);
    waiting.reject(error);
    this.#gaveUp(waiting, error);
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
    let next = Infinity;
    this.#arm(Infinity, now);
    for (const waiting of this.all()) {
      const { call, timeout, deadline, limit } = waiting;
      const end = Math.min(deadline, limit);
      if (end > now) next = Math.min(next, end);
      else
        this.#giveUp(
          waiting,
          new TimeoutError(call.method, limit <= now ? span(call.options?.maxTotalTimeout, Infinity) : timeout),
        );
    }
    // Giving up sends a notification, and whatever that sets off may have armed the timer already.
    if (next < this.#wakes) this.#arm(next, now);
  }
}
