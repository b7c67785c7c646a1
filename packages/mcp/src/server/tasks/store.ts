import { INTERNAL_ERROR, INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import { LONGEST_TIMER } from "../../longest-timer.ts";
import { Task } from "./task.ts";

export interface TasksOptions {
  /** ms that a task is kept after its creation (default 3,600,000; Infinity for ever), and the most that a client may ask for. */
  readonly ttl?: number | undefined;
  /** ms between polls that clients are told (default 1,000). */
  readonly pollInterval?: number | undefined;
  /** Tasks kept at the same time (default 10,000). */
  readonly max?: number | undefined;
}

/** The tasks of one server, for as long as they are kept. */
export class TaskStore {
  readonly #tasks = new Map<string, Task>();
  readonly #options: TasksOptions;

  constructor(options: TasksOptions = {}) {
    this.#options = options;
  }

  /** Throws -32603 when there are too many. */
  create(owner: unknown, abort: (reason: unknown) => void, wantedTtl?: unknown): Task {
    const { ttl = 3_600_000, pollInterval = 1000, max = 10_000 } = this.#options;
    if (this.#tasks.size >= max) throw new RpcError(INTERNAL_ERROR, "Too many tasks; try again later");
    const asked = typeof wantedTtl === "number" && wantedTtl > 0 ? Math.min(wantedTtl, ttl) : ttl;
    const task = new Task(owner, asked, pollInterval, abort);
    this.#tasks.set(task.id, task);
    this.#keep(task, Date.now() + asked);
    return task;
  }

  /** Undefined for an id that is unknown or somebody else's. */
  find(id: unknown, owner: unknown): Task | undefined {
    const task = this.#tasks.get(id as string);
    return task && (task.owner === undefined || task.owner === owner) ? task : undefined;
  }

  /** As `find`, but throws -32602. */
  get(id: unknown, owner: unknown): Task {
    const task = this.find(id, owner);
    if (!task) throw new RpcError(INVALID_PARAMS, `Unknown task: ${JSON.stringify(id)}`);
    return task;
  }

  /** In the order of their creation. */
  of(owner: unknown): readonly Task[] {
    return [...this.#tasks.values()].filter((task) => task.owner === owner);
  }

  /** `until` is a time of `Date.now()`. */
  #keep(task: Task, until: number): void {
    const left = until - Date.now();
    if (left <= 0) {
      this.#tasks.delete(task.id);
      if (!task.isFinal) task.cancel();
    } else if (left < Infinity) {
      const timer = setTimeout(() => this.#keep(task, until), Math.min(left, LONGEST_TIMER));
      if (typeof timer === "object") timer.unref();
    }
  }
}
