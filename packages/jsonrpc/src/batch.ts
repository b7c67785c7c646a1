import type { Arguments, MethodOf, ResultOf, Untyped } from "./contract.ts";
import type { CallOptions } from "./handler.ts";
import type { Message } from "./message.ts";

/** Collects the calls of one batch. Requests made here settle like others, each by its own id. */
export interface BatchBuilder<C = Untyped> {
  request<M extends MethodOf<C>>(method: M, ...args: Arguments<C, M, CallOptions>): Promise<ResultOf<C, M>>;
  notify<M extends MethodOf<C>>(method: M, ...args: Arguments<C, M, never>): void;
}

/** The results of a batch's calls, in the order in which they were returned from the builder. */
export type BatchResults<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> };

/** An outgoing batch: open while its calls are collected, then waiting for its answer. */
export interface Group {
  readonly messages: Message[];
  open: boolean;
}
