import type { Report } from "@x/jsonrpc";
import type { EventStore } from "./events.ts";
import type { Allowed } from "./hosts.ts";
import type { Verify } from "./verify.ts";

/** What every HTTP server has. */
export interface HttpServerOptions {
  /** The only path that is served, such as "/mcp"; others get 404 (default: every path). */
  readonly path?: string | undefined;
  /** Names by which the server may be asked for, without port (default: those of this machine alone). */
  readonly hosts?: Allowed | undefined;
  /** Web pages that may ask: origins, or host names of any scheme and port (default: those of `hosts`). */
  readonly origins?: Allowed | undefined;
  /** Lets the pages that may ask read the answers (default false). */
  readonly cors?: boolean | undefined;
  /** Longest body in bytes (default 4 MiB); a longer one gets 413. */
  readonly maxBody?: number | undefined;
  /** ms that a body may take to arrive (default 30,000); a slower one gets 408. */
  readonly bodyTimeout?: number | undefined;
  /** Says who asks. Without it everybody who gets past `hosts` and `origins` is served. */
  readonly verify?: Verify | undefined;
  /** Answers a plain GET with 200, for those who watch over the server (default false). */
  readonly health?: boolean | undefined;
  /** Hears of what the client isn't told: faults of handlers, of `verify`, of the event store. */
  readonly onError?: Report | undefined;
}

/** What a server of a protocol on top, such as MCP, has besides. */
export interface StreamableOptions extends HttpServerOptions {
  /** Sessions of clients that begin with a handshake; false to serve each request by itself. */
  readonly sessions?: SessionOptions | false | undefined;
  /** Keeps the events of sessions' streams, so that a client can go on where it was cut off (default: in memory). */
  readonly events?: EventStore | false | undefined;
  /** ms after which a comment is sent on a silent stream, and a silent call becomes a stream (default 15,000). */
  readonly keepAlive?: number | undefined;
  /** ms after which clients should come back to a stream that ended early (default 1,000). */
  readonly retry?: number | undefined;
  /** Event streams open at once (default 20,000); for more there is 503. */
  readonly maxStreams?: number | undefined;
  /** Bytes that wait for a client that doesn't read (default 4 MiB); its connection is given up for more. */
  readonly maxBuffered?: number | undefined;
  /** Serves clients of 2024-11-05 too, at the same URL: GET opens their stream (default false). */
  readonly oldClients?: boolean | undefined;
}

export interface SessionOptions {
  /** ms without a request or an open stream after which a session ends (default 30 minutes). */
  readonly idle?: number | undefined;
  /** Sessions at once (default 10,000). For one more, the one that has been idle longest ends. */
  readonly max?: number | undefined;
}

export const MAX_BODY: number = 4 * 1024 * 1024;
export const BODY_TIMEOUT = 30_000;
export const KEEP_ALIVE = 15_000;
export const RETRY = 1000;
export const MAX_STREAMS = 20_000;
export const MAX_BUFFERED: number = 4 * 1024 * 1024;
export const SESSION_IDLE: number = 30 * 60 * 1000;
export const MAX_SESSIONS = 10_000;
