import type { Context } from "@x/jsonrpc";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Implementation } from "../model/implementation.ts";
import type { LogLevel } from "../model/logging.ts";
import type { Meta } from "../model/meta.ts";
import type { LifecycleName, Revision } from "../revisions/index.ts";
import type { Asker } from "./asking/asker.ts";
import type { Hints } from "./caching.ts";
import type { ClientFacts } from "./client-facts.ts";
import type { McpContext } from "./context.ts";
import type { McpServerOptions } from "./options.ts";

/** What a connection needs to know of its server. */
export interface ServerCore {
  readonly info: Implementation;
  readonly options: McpServerOptions;
  /** The revisions without a handshake that are served, newest first. */
  readonly stateless: readonly Revision[];
  /** What a client of `revision` is told. */
  capabilities(revision: Revision): ServerCapabilities;
  /** For how long, and by whom, what this server says of itself may be kept. */
  readonly hints: Hints;
  /** What every stateless result carries. */
  readonly resultMeta: Meta;
  /** The methods of the features that this server has. */
  readonly methods: ReadonlyMap<string, Method>;
  /** Methods of the server's own, in every revision. */
  readonly custom: ReadonlyMap<string, Method>;
  /** Takes notifications that are no part of the protocol. */
  notified(context: Context): unknown;
  /** Runs a method with the server's middleware around it. */
  run(method: Method, call: Call): unknown;
}

/** One connection, as the lifecycles and features see it. */
export interface Connection {
  readonly server: ServerCore;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<unknown>;
  /** Set by a handshake. */
  client: ClientFacts | undefined;
  /** The client has said `notifications/initialized`. */
  initialized: boolean;
  /** Set while what it takes to serve its first request is loaded, until that has begun: whatever comes after it waits. */
  hold: Promise<unknown> | undefined;
  /** What a client with a handshake wants to hear: this and above. */
  logLevel: LogLevel;
  /** Set where it carries one exchange and no more. */
  readonly isSingle?: boolean;
  /** Sends a notification that belongs to no request. */
  notify(method: string, params?: object): Promise<void>;
  /** Tells the user's hook of an error that clients hear of as well. */
  report(error: unknown): void;
}

/** One request while it is served: what the handler sees, and what the server's own parts need. */
export interface Call extends McpContext {
  readonly session: Connection;
  readonly lifecycle: Lifecycle;
  /** The parameters as they came, whatever middleware has made of them. */
  readonly sent: { readonly [name: string]: unknown } | undefined;
  /** Set where the result already has the form in which it is sent, such as a page that many clients get. */
  finished: object | undefined;
  /** How the handler's questions reach the client; made when it asks. */
  asker(): Promise<Asker>;
  /** What `detach` does; set where the call may become a task. */
  onDetach: (() => void) | undefined;
  /**
   * The call goes on as a task: its questions take another way, and its answer is out already. `told` says for how long
   * the client may still be told of progress and the like, and as what; without it that ends with the answer.
   */
  follow(asker: Asker, told: Told | undefined): void;
  /** The asker, if it was made. */
  readonly asking: Asker | undefined;
}

/** Work of which a client hears after the answer to its call. */
export interface Told {
  readonly isFinal: boolean;
  /** What each message about it carries. */
  readonly meta: Meta;
}

/** Answers one method. */
export type Method = (call: Call) => unknown;

export type Methods = { readonly [name: string]: Method };

/** One way of meeting a client. */
export interface Lifecycle {
  readonly name: LifecycleName;
  /** Methods that belong to the lifecycle itself. */
  readonly methods: ReadonlyMap<string, Method>;
  /** The client behind a request; undefined when this lifecycle doesn't claim it. Throws the RpcError that refuses it. */
  accept(request: Context, session: Connection): ClientFacts | undefined;
  /** How the handler's questions reach the client. */
  asker(call: Call): Promise<Asker>;
  /** Takes in what a request brings besides its parameters, before its method runs. */
  prepare?(call: Call): void | Promise<void>;
  /** The lowest level of the log messages that the client wants for this call; undefined for none. */
  logLevel(call: Call): LogLevel | undefined;
  /** A result as this lifecycle sends it. */
  finish(result: object, call: Call): object;
}
