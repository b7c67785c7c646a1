import type { Id, InboundOptions, Info, Message, PeerOptions, Receive, Transport, Way } from "@x/jsonrpc";
import type { HttpRequest } from "./carrier.ts";
import type { Refusal } from "./refusal.ts";

/** A service whose calls are answered one by one, such as `Service` of @x/jsonrpc. */
export interface PlainServer {
  /** Answers one text; `done` gets undefined where there is nothing to answer. Gives what aborts the handlers. */
  answer(text: string, info: Info, done: (answer: string | undefined) => void): (reason: unknown) => void;
}

/** A server that holds connections and says what HTTP has to know of its protocol, such as `McpServer` of @x/mcp. */
export interface ProtocolServer<C extends Connection = Connection> {
  connect(transport: Transport, options?: PeerOptions): C;
  /** Called once for each handler: a server may load what HTTP alone needs. */
  http(): Protocol<C> | Promise<Protocol<C>>;
}

/** What a server's `connect` gives. */
export interface Connection {
  readonly closed: Promise<unknown>;
  close(reason?: unknown): Promise<void>;
}

/** What a protocol's `exchange` gives: it takes one message. */
export interface SingleExchange {
  readonly receive: Receive;
  /** It has been answered, or `reason` ends it. */
  close(reason?: unknown): void | Promise<void>;
}

/**
 * How a message is to be carried: `alone`, as one exchange that ends with the answer and is cancelled by the client's
 * leaving; or in a session, which it either `opens` or is `within`.
 */
export type Carriage = "alone" | "opens" | "within";

/**
 * What HTTP has to know of a protocol on top of JSON-RPC. The server that speaks it gives this by its method `http`;
 * the HTTP server calls it, in the order in which the members stand here.
 */
export interface Protocol<C extends Connection = Connection, E extends SingleExchange = SingleExchange> {
  /**
   * The header that names a session, in lower case: clients send it, and get it with the answer that opens one.
   * Undefined where there are no sessions.
   */
  readonly sessionHeader: string | undefined;
  /** Judges a message or batch that is well formed, by itself and its headers, before anything of it is done. */
  admit(message: Message | readonly Message[], request: HttpRequest): Carriage | Refusal;
  /**
   * Judges a message, or a batch, of a session that exists. A promise delays it: HTTP requests overtake each other, and
   * some messages must not be seen before others.
   */
  join(message: Message | readonly Message[], connection: C): Refusal | Promise<void> | undefined;
  /** Serves one message without a connection, such as by an `Exchange` of @x/jsonrpc. What comes of it goes by `way`. */
  exchange(way: Way, options: InboundOptions): E;
  /** Where sessions are off: gives an exchange, before its message, the terms that this request is under. */
  assume(exchange: E, request: HttpRequest): void;
  /** The status of a JSON-RPC error that answers a message on its own. */
  status(code: number, carriage: Carriage): number;
  /** Can the client of this connection come back for the rest of an answer whose stream has ended early? */
  polls(connection: C): boolean;
  /** The server is about to close: answers the requests that would otherwise stay open as long as the client likes. */
  finish(connection: C | E): void;
}

/** A request's id; undefined for other messages. */
export const requestId = (message: Message): Id | undefined =>
  "method" in message && "id" in message ? message.id : undefined;
