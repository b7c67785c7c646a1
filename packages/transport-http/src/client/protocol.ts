import type { Batch, Failure, Message, Request, Response } from "@x/jsonrpc";

/**
 * What a message is to the connection: something `alone`, whose stream is all that there is of it; the request that
 * `opens` a session, the message after which the session is `ready`, or one `within` it.
 */
export type Passage = "alone" | "opens" | "ready" | "within";

/** Yields requests, takes their answers (undefined where one fails), and returns whether they have helped. */
export type Cure = Generator<Request, boolean, Response | undefined>;

/**
 * What HTTP has to know of a protocol on top of JSON-RPC. Whoever connects with the protocol gives it to the transport
 * through `speak`, before anything is sent; the transport calls it.
 */
export interface ClientProtocol {
  /** The header that names a session, in lower case. */
  readonly sessionHeader: string;
  /** How a message is carried. */
  passage(message: Message | Batch): Passage;
  /** Headers of the POST that carries a message; without one, those of the session's GET and DELETE. */
  headers(message?: Message | Batch): { readonly [name: string]: string };
  /** Sees each answer with its request before the connection does; gives the answer that the connection is to see. */
  answered(request: Request, answer: Response): Response;
  /**
   * What would let a refused request be sent once more, with new headers: yields requests that are answered first, and
   * returns whether it is worth it. Undefined where nothing would.
   */
  cure(request: Request, failure: Failure): Cure | undefined;
  /** Does this refusal come from a server that speaks the protocol as it is now, and so needs no older transport? */
  isCurrent(failure: Failure): boolean;
  /** A new session has taken the place of one that the server had ended. */
  reopened(): void;
}
