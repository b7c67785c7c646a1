import type { Transport } from "@x/jsonrpc";
import type { NodeReadable } from "./node-streams.ts";
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
  return new StdioTransport(options);
}

export class StdioTransport extends PairTransport {
  readonly #release: () => void;

  constructor(options: StdioOptions) {
    const { stream, release } = takeStdout(options.guardStdout ?? true);
    super(process.stdin, stream, options);
    this.#release = release;
  }

  protected override letGo(stdin: NodeReadable): void {
    super.letGo(stdin);
    this.#release();
  }
}
