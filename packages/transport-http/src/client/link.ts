import type { Batch, Failure, Message, Receive, Report, Request } from "@x/jsonrpc";
import type { HeaderFields } from "../header-fields.ts";
import type { HttpOptions } from "./options.ts";
import type { ClientProtocol } from "./protocol.ts";
import type { Requests } from "./requests.ts";

/** What the parts of one client connection share. */
export interface Link {
  readonly requests: Requests;
  readonly options: HttpOptions;
  readonly maxBytes: number;
  /** Undefined where JSON-RPC is all that is spoken. */
  readonly protocol: ClientProtocol | undefined;
  /** Undefined until a message opens one. */
  session: SessionLink | undefined;
  /** Gives what has arrived to the connection. */
  readonly receive: Receive;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  /** What is aborted then too: a set, since Node takes more than ten listeners to one signal for a leak. */
  readonly running: Set<{ abort(reason: unknown): void }>;
  readonly report: Report;
  /** A POST that carries a message. Throws for one that can't be serialised. */
  exchange(message: Message | Batch, options: ExchangeOptions): Posted;
  /** Meets a server that has refused the request that opens a session in the way of 2024-11-05; true if that worked. */
  meetOld(first: Message, refusal: Refusal): Promise<boolean>;
}

/** How a message is posted. */
export interface ExchangeOptions {
  /** Of this message alone. */
  readonly headers?: HeaderFields | undefined;
  /** Takes what comes instead of the connection. */
  readonly receive?: ((message: unknown) => void) | undefined;
}

/** A message on its way. */
export interface Posted {
  /** Gives it up. */
  abort(reason?: unknown): void;
  /** Resolves when all of it is answered, or taken where there is nothing to answer. Rejects with why it is not. */
  run(): Promise<void>;
}

/** What a session has to know of a message on its way. */
export interface Sent {
  readonly message: Message | Batch;
  readonly options: ExchangeOptions;
  /** The session that it was sent in. */
  readonly sessionId: string | undefined;
  /** Aborted when it is given up. */
  readonly signal: AbortSignal;
  /** What was asked, and `what` became of it, as errors name it. */
  name(what: string): string;
}

/** With what a server has said no. */
export interface Refusal {
  readonly status: number;
  readonly failure: Failure | undefined;
}

/** The session of a connection, as its exchanges see it. */
export interface SessionLink {
  /** Undefined where there is none. */
  readonly id: string | undefined;
  /** The header that names the session `id`. */
  headers(id: string | undefined): HeaderFields;
  /** The request that opens a session was answered well. */
  opened(request: Request, response: Response): void;
  /** The message after which the server may speak unasked was taken. */
  ready(message: Message): void;
  /** The server has ended the session that this was sent in, and not taken it: it is posted again, in another one. */
  repeat(sent: Sent): Promise<void>;
  /** What it takes to go on with the stream of this one's answer. */
  resumable(sent: Sent): Resumable;
  /** Tells the server that the session is over. Rejects, or never settles, where the server doesn't care. */
  end(signal: AbortSignal): Promise<void>;
}

/** A stream that may break off, and be gone on with. */
export interface Resumable {
  /** The server has named a place to go on from. */
  readonly possible: boolean;
  /** An event has come; `id` names the place after it, where that has a name. */
  reached(id: string | undefined): void;
  /** The server wants to be left alone for so many ms before it is asked again. */
  wait(retry: number): void;
  /** Asks for the rest, until it comes or there is no hope. */
  rest(): Promise<Response>;
}
