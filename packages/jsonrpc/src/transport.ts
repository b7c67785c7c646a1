import type { Batch, Id, Message } from "./message.ts";

/** What a transport knows about the way a message came: headers, a principal, a socket's address. */
export type Info = { readonly [name: string]: unknown };

/**
 * Takes what has arrived: a message, a batch, an `Invalid`, or any untrusted value, which is judged like the others.
 * It never throws. `silent` is for carriers where each message has a stream of its own: it is called when all of the
 * message is handled and there is nothing to send back.
 */
export type Receive = (message: unknown, info?: Info, silent?: () => void) => void;

export interface SendOptions {
  /** The incoming request that this message is sent for. Carriers that have a stream for each request need it. */
  readonly cause?: Id | undefined;
  /** Aborted when the caller no longer wants the answer. */
  readonly signal?: AbortSignal | undefined;
  /** Headers of this message alone, for carriers that have such. */
  readonly headers?: { readonly [name: string]: string } | undefined;
}

/** Carries whole messages both ways, in order. Framing and bytes are its own matter. */
export interface Transport {
  /**
   * Starts receiving. Called once. The promise settles when nothing more will arrive: fulfilled when the other side
   * has ended in order (sending may still work), rejected with the reason when the connection broke.
   */
  open(receive: Receive): Promise<void>;
  /**
   * Sends one message or batch. Throws at once for what it can't serialise, and the connection lives on. A promise means
   * that the other side is slow: it settles when more may be sent. Where the connection is gone it throws or rejects; of
   * answers that one and the same error has lost a peer reports only the first.
   */
  send(message: Message | Batch, options?: SendOptions): void | Promise<void>;
  /**
   * Delivers what was sent, then ends the connection, whereupon `open` settles. May be called more than once. It has to
   * settle, since a peer's own `close` waits for it.
   */
  close(): void | Promise<void>;
  /**
   * Gives up the exchange of one outgoing request. Only for carriers where each request has a stream of its own. True
   * if the other side learns of it that way, so that no notification is needed.
   */
  cancel?(id: Id): boolean;
}
