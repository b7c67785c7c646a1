export interface TurnLimits {
  /** How many incoming calls run at the same time (default 1,000). 1 handles one after another, in order. */
  readonly concurrency?: number | undefined;
  /** How many more may wait for their turn (default 10,000). */
  readonly queue?: number | undefined;
}

/** Runs the calls whose turn it is. */
export interface Runner<T> {
  run(call: T): void;
}

/** Hands out the places in which incoming calls run, first come, first served. */
export class Turns<T> {
  #free: number;
  readonly #queue: number;
  /** Made when the first one has to wait: an empty Map has 230 of the 3,500 bytes of an idle connection. */
  #waiting: Map<T, Runner<T>> | undefined;
  #starting: boolean | undefined;

  constructor({ concurrency = 1000, queue = 10_000 }: TurnLimits) {
    this.#free = concurrency;
    this.#queue = queue;
  }

  /** Takes a place, to be given back with `give`; false when none is free. None is while somebody waits. */
  take(): boolean {
    return this.#free > 0 && this.#free-- > 0;
  }

  /** Runs a call as soon as a place is free; false when too many wait already. */
  wait(call: T, runner: Runner<T>): boolean {
    const waiting = (this.#waiting ??= new Map<T, Runner<T>>());
    const isRoom = waiting.size < this.#queue;
    if (isRoom) waiting.set(call, runner);
    return isRoom;
  }

  /** Takes a waiting call out of the queue, after which it gives its place back like one that ran. False if it runs. */
  withdraw(call: T): boolean {
    if (!this.#waiting?.delete(call)) return false;
    this.#free--;
    return true;
  }

  // A loop and not a chain of calls: ten thousand queued calls that are answered at once would exhaust the stack.
  give(): void {
    this.#free++;
    if (this.#starting || !this.#waiting?.size) return;
    this.#starting = true;
    for (const [call, runner] of this.#waiting) {
      if (this.#free <= 0) break;
      this.#waiting.delete(call);
      this.#free--;
      runner.run(call);
    }
    this.#starting = false;
  }
}
