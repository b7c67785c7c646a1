import type { PeerOptions } from "@x/jsonrpc";
import type { StreamableOptions } from "./options.ts";
import type { Protocol, ProtocolServer } from "./protocol.ts";
import { Streams } from "./streams.ts";

/** What everything at one URL shares. */
export class Site {
  readonly server: ProtocolServer;
  readonly protocol: Protocol;
  readonly streams: Streams;
  /** For each connection. */
  readonly peer: PeerOptions;
  #onAnswered: (() => void) | undefined;

  constructor(server: ProtocolServer, protocol: Protocol, options: StreamableOptions) {
    this.server = server;
    this.protocol = protocol;
    this.streams = new Streams(options);
    this.peer = { onError: options.onError };
  }

  /** A call has been answered, or a connection has ended. */
  answered(): void {
    this.#onAnswered?.();
  }

  /** Resolves when nothing is `busy` any more, after `deadline` ms at the latest. */
  async quiet(busy: () => boolean, deadline: number): Promise<void> {
    if (!busy()) return;
    const before = this.#onAnswered;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, deadline);
      this.#onAnswered = () => {
        before?.();
        if (busy()) return;
        clearTimeout(late);
        resolve();
      };
    });
  }
}
