import type { ErrorObject } from "@x/jsonrpc";
import { RpcError } from "@x/jsonrpc";
import type { InputRequests, TaskStatus } from "../../model/tasks.ts";
import type { Question } from "../asking/asker.ts";

/** A question that a running task waits for. */
interface Pending {
  readonly question: Question;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Work that goes on after its request was answered. Final states never change. */
export class Task {
  readonly id: string = crypto.randomUUID();
  /** Whose it is: a principal, or a connection where nobody is authenticated; undefined for whoever knows the id. */
  readonly owner: unknown;
  readonly createdAt: string = new Date().toISOString();
  /** ms that it is kept, from its creation. */
  readonly ttl: number;
  readonly pollInterval: number;
  /** Settles, without a value, when the state is final. */
  readonly ended: Promise<void>;
  readonly #abort: (reason: unknown) => void;
  readonly #pending = new Map<string, Pending>();
  #updatedAt = this.createdAt;
  #status: TaskStatus = "working";
  #message: string | undefined;
  #outcome: { readonly result: object } | { readonly error: ErrorObject } | undefined;
  #end!: () => void;
  /** Called after each change. */
  readonly watchers: Set<() => void> = new Set();
  /** Whoever puts questions to the client; the last one does. */
  readonly #askers: (() => void)[] = [];

  constructor(owner: unknown, ttl: number, pollInterval: number, abort: (reason: unknown) => void) {
    this.owner = owner;
    this.ttl = ttl;
    this.pollInterval = pollInterval;
    this.#abort = abort;
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  get status(): TaskStatus {
    return this.#status;
  }

  get message(): string | undefined {
    return this.#message;
  }

  get updatedAt(): string {
    return this.#updatedAt;
  }

  get isFinal(): boolean {
    return this.#status === "completed" || this.#status === "failed" || this.#status === "cancelled";
  }

  get result(): object | undefined {
    return this.#outcome && "result" in this.#outcome ? this.#outcome.result : undefined;
  }

  get error(): ErrorObject | undefined {
    return this.#outcome && "error" in this.#outcome ? this.#outcome.error : undefined;
  }

  get questions(): ReadonlyMap<string, { readonly question: Question }> {
    return this.#pending;
  }

  /** The questions in the shape that clients get them. */
  get inputRequests(): InputRequests {
    return Object.fromEntries(
      [...this.#pending].map(
        ([
          key,
          {
            question: { method, params },
          },
        ]) => [key, { method, params }],
      ),
    );
  }

  /** `status` is completed, or failed for a result that says so where the revision wants that. */
  complete(result: object, status: "completed" | "failed", message?: string): void {
    this.#finish(status, { result }, message);
  }

  fail(error: unknown): void {
    const { code, message, data } = RpcError.is(error) ? error : new RpcError(-32603, "Internal error");
    this.#finish("failed", { error: data === undefined ? { code, message } : { code, message, data } }, message);
  }

  cancel(): void {
    this.#finish("cancelled", undefined, "The client cancelled the task");
    this.#abort(new Error("The client cancelled the task"));
  }

  /** Waits for an answer. */
  ask(key: string, question: Question): Promise<unknown> {
    if (this.isFinal) return Promise.reject(new Error(`"${key}" was not asked: the task is ${this.#status}`));
    return new Promise((resolve, reject) => {
      this.#pending.set(key, { question, resolve, reject });
      this.#change("input_required");
      this.#askers.at(-1)?.();
    });
  }

  /** False when the question is not outstanding or the answer is none. */
  answer(key: string, answer: unknown): boolean {
    const pending = this.#pending.get(key);
    const value = pending?.question.read(answer);
    if (value === undefined) return false;
    this.#settle(key);
    pending?.resolve(value);
    return true;
  }

  /** The question could not be put to the client. */
  refuse(key: string, error: unknown): void {
    const pending = this.#pending.get(key);
    this.#settle(key);
    pending?.reject(error);
  }

  /**
   * Calls back with each question, outstanding ones included and perhaps more than once, until the returned function is
   * called. Of several callers the last one is called.
   */
  onQuestion(put: (key: string, question: Question) => void): () => void {
    const asker = (): void => {
      for (const [key, { question }] of this.#pending) put(key, question);
    };
    this.#askers.push(asker);
    asker();
    return () => {
      this.#askers.splice(this.#askers.indexOf(asker), 1);
      this.#askers.at(-1)?.();
    };
  }

  #settle(key: string): void {
    this.#pending.delete(key);
    if (this.#pending.size === 0 && !this.isFinal) this.#change("working");
  }

  #finish(
    status: TaskStatus,
    outcome: { result: object } | { error: ErrorObject } | undefined,
    message?: string,
  ): void {
    if (this.isFinal) return;
    this.#outcome = outcome;
    this.#message = message;
    this.#change(status);
    for (const { reject } of this.#pending.values()) reject(new Error(`The task is ${status}`));
    this.#pending.clear();
    this.#end();
  }

  #change(status: TaskStatus): void {
    this.#status = status;
    this.#updatedAt = new Date().toISOString();
    for (const watch of this.watchers) watch();
  }
}
