import type { Transport } from "@x/jsonrpc";
import { bounded } from "./bounded.ts";
import { type StdioOptions, stdioPair } from "./stdio.ts";

/** What can be served: a Service of @x/jsonrpc, or anything else that takes a transport and says when it is over. */
export interface StdioServer {
  connect(transport: Transport): { readonly closed: Promise<unknown>; close?(reason?: unknown): unknown };
}

export interface ServeOptions extends StdioOptions {
  /**
   * ms that the program has after the connection has ended before `process.exit` is called (default 1,000). A timer or
   * a socket that was forgotten would keep the process running without a client for ever. False never calls it.
   */
  readonly exit?: number | false | undefined;
  /** End in order at SIGTERM and SIGINT: what was read is answered first (default true). The second one kills. */
  readonly signals?: boolean | undefined;
}

/**
 * Serves this process's stdin and stdout until the client closes them. Requests that were read before the end of the
 * input are answered. Rejects when stdin or stdout breaks, except by the client's going away.
 */
export async function serveStdio(server: StdioServer, options: ServeOptions = {}): Promise<void> {
  const transport = stdioPair(options);
  const connection = server.connect(transport);
  const stop = (signal: NodeJS.Signals): void => {
    // The input is over, answers are being waited for: whoever sends a signal now no longer wants them.
    if (transport.inputEnded) connection.close?.(new Error(`${signal} came`));
    else transport.endInput();
  };
  const signals: readonly NodeJS.Signals[] = (options.signals ?? true) ? ["SIGTERM", "SIGINT"] : [];
  for (const signal of signals) process.once(signal, stop);
  await connection.closed;
  for (const signal of signals) process.off(signal, stop);
  const { exit = 1000 } = options;
  if (exit !== false) setTimeout(() => process.exit(), bounded(exit)).unref();
  const { failure } = transport;
  if (failure && !DEPARTURES.includes(failure.code)) throw failure;
}

/** What breaks when the client goes away without closing its end first. */
const DEPARTURES: readonly unknown[] = ["EPIPE", "ECONNRESET"];
