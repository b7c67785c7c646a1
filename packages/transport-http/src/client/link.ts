import type { Message, Receive, Report, Request } from "@x/jsonrpc";
import type { HeaderValues, HttpOptions } from "./options.ts";
import type { ClientProtocol } from "./protocol.ts";
import type { Requests } from "./requests.ts";

/** What the parts of one client connection share. */
export interface Link {
  readonly requests: Requests;
  readonly options: HttpOptions;
  readonly maxBytes: number;
  /** Undefined where JSON-RPC is all that is spoken. */
  readonly protocol: ClientProtocol | undefined;
  /** Gives what has arrived to the connection. */
  readonly receive: Receive;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  /** What is aborted then too: a set, since Node takes more than ten listeners to one signal for a leak. */
  readonly running: Set<{ abort(reason: unknown): void }>;
  readonly report: Report;
}

/** The session of a connection, as its exchanges see it. */
export interface SessionLink {
  /** Undefined where there is none. */
  readonly id: string | undefined;
  /** The header that names the session `id`. */
  headers(id: string | undefined): HeaderValues;
  /** The request that opens a session was answered well. */
  opened(request: Request, response: Response): void;
  /** The message after which the server may speak unasked was taken. */
  ready(message: Message): void;
  /** The server has ended the session `lost`: starts another, once for all who have lost it. */
  reopen(lost: string): Promise<void>;
  /** Opens a stream, or goes on with one. */
  get(signal: AbortSignal, lastEventId: string | undefined): Promise<Response>;
}
