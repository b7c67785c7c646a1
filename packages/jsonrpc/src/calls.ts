import { LONGEST_TIMER } from "./ending.ts";
import { AbortError, TimeoutError } from "./errors.ts";
import type { CallOptions } from "./handler.ts";
import type { Id } from "./message.ts";
import type { Outgoing } from "./outgoing.ts";
import { offAbort, onAbort } from "./signals.ts";

/** A call that waits for its answer. */
export interface Waiting {
  /** The call's own may change when it is sent again. */
  readonly id: Id;
  readonly call: Outgoing;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** As they were when it was sent: middleware may replace the call's. */
  readonly options: CallOptions | undefined;
  /** ms; Infinity for none. */
  readonly timeout: number;
  /** Clock times in ms: since when its timeout runs, and what ends it whatever progress comes. */
  since: number;
  readonly limit: number | undefined;
}

type Timer = ReturnType<typeof setTimeout> & { ref?(): void; unref?(): void };

/** 0 is no limit. A negative one, as of a deadline that has passed, ends the call at once. */
const span = (ms: number | undefined, otherwise: number): number => (ms ?? otherwise) || Infinity;

const endOf = ({ since, timeout, limit = Infinity }: Waiting): number => Math.min(since + timeout, limit);

/**
 * Outgoing requests that wait for their answer. One timer serves them all: it is set for the next deadline and looks
 * at every call when it fires, so a call costs no timer of its own and progress only moves a number.
 */
export class Calls extends Map<Id, Waiting> {
  readonly #timeout: number;
  readonly #gaveUp: (waiting: Waiting, error: Error) => void;
  readonly #aborted = (waiting: Waiting): void =>
    this.#giveUp(waiting, new AbortError(`"${waiting.call.method}" was aborted`, waiting.options?.signal?.reason));
  #timer: Timer | undefined;
  #wakes = Infinity;

  /** `timeout` is the default in ms; `gaveUp` is told of each call that this side ends. */
  constructor(timeout: number | undefined, gaveUp: (waiting: Waiting, error: Error) => void) {
    super();
    this.#timeout = span(timeout, 60_000);
    this.#gaveUp = gaveUp;
  }

  add(id: Id, call: Outgoing, resolve: (result: unknown) => void, reject: (error: unknown) => void): void {
    const { options } = call;
    const since = performance.now();
    const timeout = span(options?.timeout, this.#timeout);
    const limit = options?.maxTotalTimeout ? since + options.maxTotalTimeout : undefined;
    const waiting: Waiting = { id, call, resolve, reject, options, timeout, since, limit };
    if (options?.signal) onAbort(options.signal, waiting, this.#aborted);
    this.set(id, waiting);
    const end = endOf(waiting);
    if (end < this.#wakes) this.#arm(end, since);
    else if (this.size === 1) this.#timer?.ref?.();
  }

  /** Ends the wait for this id; undefined when nobody waits for it. */
  take(id: Id): Waiting | undefined {
    const waiting = this.get(id);
    if (!waiting) return undefined;
    this.delete(id);
    const signal = waiting.options?.signal;
    if (signal) offAbort(signal, waiting);
    // The timer stays for the next call; until then it must not keep a process alive.
    if (this.size === 0) this.#timer?.unref?.();
    return waiting;
  }

  /** Counts progress for a call's timeout; undefined when nobody waits for it. */
  progress(token: Id | undefined): Waiting | undefined {
    const waiting = this.get(token as Id);
    if (waiting?.options?.resetTimeoutOnProgress) waiting.since = performance.now();
    return waiting;
  }

  /** Rejects everything that waits. */
  close(errorFor: (call: Outgoing) => Error): void {
    clearTimeout(this.#timer);
    for (const { id, call, reject } of this.values()) {
      this.take(id);
      reject(errorFor(call));
    }
  }

  #giveUp(waiting: Waiting, error: Error): void {
    if (this.get(waiting.id) !== waiting) return;
    this.take(waiting.id);
    waiting.reject(error);
    this.#gaveUp(waiting, error);
  }

  #arm(wakes: number, now: number): void {
    clearTimeout(this.#timer);
    this.#wakes = wakes;
    this.#timer = setTimeout(() => this.#sweep(), Math.min(Math.ceil(wakes - now), LONGEST_TIMER));
  }

  #sweep(): void {
    const now = performance.now();
    let next = Infinity;
    this.#wakes = Infinity;
    for (const waiting of this.values()) {
      const { call, options, timeout, limit } = waiting;
      const end = endOf(waiting);
      if (end > now) next = Math.min(next, end);
      else this.#giveUp(waiting, new TimeoutError(call.method, limit! <= now ? options!.maxTotalTimeout! : timeout));
    }
    // Giving up sends a notification, and whatever that sets off may have armed the timer already.
    if (next < this.#wakes) this.#arm(next, now);
  }
}
