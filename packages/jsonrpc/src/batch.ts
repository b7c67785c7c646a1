import type { Collector } from "./context.ts";
import type { CallOptions } from "./handler.ts";
import type { Arguments, MethodOf, ResultOf, Untyped } from "./contract.ts";
import type { Id, Message, Response } from "./message.ts";

/** Collects the calls of one batch. Requests made here settle like others, each by its own id. */
export interface BatchBuilder<C = Untyped> {
  request<M extends MethodOf<C>>(method: M, ...args: Arguments<C, M, CallOptions>): Promise<ResultOf<C, M>>;
  notify<M extends MethodOf<C>>(method: M, ...args: Arguments<C, M, never>): void;
}

/** The results of a batch's calls, in the order in which they were returned from the builder. */
export type BatchResults<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> };

/** Collects the answers of one exchange, such as an incoming batch, and gives them when the last one is there. */
export class Answers implements Collector {
  readonly #responses: Response[] = [];
  readonly #done: (responses: readonly Response[]) => void;
  #open: number;

  constructor(expected: number, done: (responses: readonly Response[]) => void) {
    this.#open = expected;
    this.#done = done;
  }

  settle(response: Response | undefined): void {
    if (response) this.#responses.push(response);
    if (--this.#open === 0) this.#done(this.#responses);
  }
}

/** An outgoing batch: open while its calls are collected, then waiting for its answer. */
export class Group {
  readonly messages: Message[] = [];
  readonly ids: Set<Id> = new Set();
  open = true;
}
