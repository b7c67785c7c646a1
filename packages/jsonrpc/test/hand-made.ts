import type { Batch, Message, Receive, SendOptions, Transport } from "@x/jsonrpc";

type Sending = (message: Message | Batch, options?: SendOptions) => void | Promise<void>;

/** A transport that is driven by hand: `receive` gives the peer a message, `end` and `broken` end the connection. */
export class HandMade implements Transport {
  readonly sent: unknown[] = [];
  closes = 0;
  receive!: Receive;
  end!: () => void;
  broken!: (reason: unknown) => void;
  readonly #sending: Sending | undefined;

  /** `sending` may throw or wait; what it lets through is in `sent`. */
  constructor(sending?: Sending) {
    this.#sending = sending;
  }

  open(receive: Receive): Promise<void> {
    this.receive = receive;
    return new Promise((resolve, reject) => {
      this.end = resolve;
      this.broken = reject;
    });
  }

  send(message: Message | Batch, options?: SendOptions): void | Promise<void> {
    const waits = this.#sending?.(message, options);
    this.sent.push(message);
    return waits;
  }

  close(): void {
    this.closes++;
    this.end();
  }
}
