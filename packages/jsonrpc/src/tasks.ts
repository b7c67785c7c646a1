import type { Incoming } from "./context.ts";
import type { Id } from "./message.ts";

export interface TaskLimits {
  /** How many incoming calls run at the same time (default 1,000). 1 handles one after another, in order. */
  readonly concurrency?: number | undefined;
  /** How many more may wait for their turn (default 10,000). */
  readonly queue?: number | undefined;
}

/**
 * Incoming calls in flight: those that run and those that wait for a free place. A call that is answered in the same
 * turn never gets here.
 */
export class Tasks {
  readonly #running = new Set<Incoming>();
  readonly #waiting = new Set<Incoming>();
  readonly #byId = new Map<Id, Incoming>();
  readonly #concurrency: number;
  readonly #queue: number;
  readonly #run: (task: Incoming) => void;
  #onIdle: (() => void) | undefined;
  #starting = false;

  constructor({ concurrency = 1000, queue = 10_000 }: TaskLimits, run: (task: Incoming) => void) {
    this.#concurrency = concurrency;
    this.#queue = queue;
    this.#run = run;
  }

  get size(): number {
    return this.#running.size + this.#waiting.size;
  }

  has(id: Id): boolean {
    return this.#byId.size > 0 && this.#byId.has(id);
  }

  /** Runs a new call now or lets it wait; false when there is no place left. */
  admit(task: Incoming): boolean {
    if (this.#waiting.size === 0 && this.#running.size < this.#concurrency && !this.#starting) {
      this.#run(task);
      return true;
    }
    if (this.#waiting.size >= this.#queue) return false;
    this.#waiting.add(task);
    this.#remember(task);
    return true;
  }

  /** Called for a running call that did not finish in the same turn. */
  started(task: Incoming): void {
    this.#running.add(task);
    this.#remember(task);
  }

  finished(task: Incoming): void {
    this.#running.delete(task);
    this.#forget(task);
    this.#next();
    if (this.#onIdle && this.size === 0) this.#onIdle();
  }

  /** Aborts the call with this id. One that was still waiting never starts and is returned. */
  cancel(id: Id, reason: unknown): Incoming | undefined {
    const task = this.#byId.get(id);
    if (!task || task.cancelled) return undefined;
    task.cancelled = true;
    task.abort(reason);
    if (!this.#waiting.delete(task)) return undefined;
    this.#forget(task);
    return task;
  }

  /** Aborts all. Those that waited never start. */
  abortAll(reason: unknown): void {
    for (const task of this.#waiting) this.#forget(task);
    this.#waiting.clear();
    for (const task of this.#running) task.abort(reason);
  }

  /** Calls back once, as soon as nothing is in flight. */
  whenIdle(callback: () => void): void {
    if (this.size === 0) callback();
    else this.#onIdle = callback;
  }

  // A loop and not a chain of calls: ten thousand queued calls that are answered at once would exhaust the stack.
  #next(): void {
    if (this.#starting) return;
    this.#starting = true;
    for (const task of this.#waiting) {
      if (this.#running.size >= this.#concurrency) break;
      this.#waiting.delete(task);
      this.#forget(task);
      this.#run(task);
    }
    this.#starting = false;
  }

  // The ids of single exchanges, which have no connection, say nothing about each other: those of two HTTP clients are
  // bound to meet. A repetition must not take the place of the call that runs.
  #remember(task: Incoming): void {
    const { id, connection, repeated } = task;
    if (id !== undefined && id !== null && connection && !repeated) this.#byId.set(id, task);
  }

  #forget(task: Incoming): void {
    if (task.id !== undefined && task.id !== null && this.#byId.get(task.id) === task) this.#byId.delete(task.id);
  }
}
