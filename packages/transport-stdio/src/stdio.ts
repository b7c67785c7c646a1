import type { Transport } from "@x/jsonrpc";
import { PairTransport, type StreamOptions } from "./pair-transport.ts";
import { takeStdout } from "./stdout.ts";

export interface StdioOptions extends StreamOptions {
  /**
   * Sends to stderr what is not ours but is written to `process.stdout` while the connection lasts: a `console.log`
   * left in a handler would be a broken message to the other side (default true).
   */
  readonly guardStdout?: boolean | undefined;
}

/** This process's stdin and stdout. `close` flushes stdout and closes stdin. */
export function stdio(options: StdioOptions = {}): Transport {
  return stdioPair(options);
}

/** The same, with the means to end the input. */
export const stdioPair = (options: StdioOptions): PairTransport =>
  new PairTransport(process.stdin, takeStdout(options.guardStdout ?? true), options);
