import type { Report } from "@x/jsonrpc";
import type { HeaderFields } from "../header-fields.ts";

/** `fetch`, or one that wraps it: to authorise, to trace, to use a proxy. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface HttpOptions {
  /** Sends every request (default: the global `fetch`). */
  readonly fetch?: Fetch | undefined;
  /** For every request: POST, GET and DELETE. A function is asked each time. The protocol's own headers come last. */
  readonly headers?: HeaderFields | (() => HeaderFields | Promise<HeaderFields>) | undefined;
  /** Longest message in bytes (default 64 MiB). */
  readonly maxBytes?: number | undefined;
  /** Opens a stream for what the server sends unasked, in sessions (default true). */
  readonly listen?: boolean | undefined;
  /** How a stream is opened again that was cut off. */
  readonly reconnect?: ReconnectOptions | undefined;
  /** Meets servers of 2024-11-05 in their own way where they know no other (default true). */
  readonly oldServers?: boolean | undefined;
  /** ms that `close` waits for the server (default 2,000). */
  readonly closeTimeout?: number | undefined;
  /** Hears of what no call is told: what comes on no call's stream and is no message, a stream that can't be opened. */
  readonly onError?: Report | undefined;
}

export interface ReconnectOptions {
  /** ms before the first try (default 1,000), where the server doesn't say. Each further one waits twice as long. */
  readonly initial?: number | undefined;
  /** ms at most (default 30,000). */
  readonly max?: number | undefined;
  /** Tries in a row that may fail before a call is given up (default 5). */
  readonly attempts?: number | undefined;
}

export const MAX_BYTES: number = 64 * 1024 * 1024;
export const CLOSE_TIMEOUT = 2000;
