import { ClosedError } from "../errors.ts";
import type { Batch, Id, Message } from "../message.ts";
import type { Receive, SendOptions, Transport } from "../transport.ts";
import { stringify } from "../wire.ts";
import { type Fault, type FaultOptions, Lane } from "./lane.ts";
import { random } from "./random.ts";

export type { Fault, FaultOptions };

/**
 * The same transport, with faults in it. Each is a chance from 0 to 1 for every message in either direction, and the
 * same seed makes the same faults of the same messages: a test that fails can be run again.
 */
export const faulty = (transport: Transport, options: FaultOptions): Transport => new Faulty(transport, options);

/** What comes with a message that arrives. */
type Rest = Parameters<Receive> extends [unknown, ...infer R] ? R : never;

class Faulty implements Transport {
  readonly #transport: Transport;
  readonly #out: Lane<SendOptions | undefined>;
  readonly #in: Lane<Rest>;
  #receive: Receive = () => {};
  #broken: ClosedError | undefined;
  #break: (reason: unknown) => void = () => {};

  constructor(transport: Transport, options: FaultOptions) {
    this.#transport = transport;
    const broken = (): void => this.#breakNow();
    // Numbers of its own for each direction: how sending and receiving alternate is up to the machine.
    this.#out = new Lane({
      direction: "out",
      random: random(options.seed * 2),
      faults: options,
      pass: (message, extra) => transport.send(message as Message | Batch, extra),
      broken,
    });
    this.#in = new Lane({
      direction: "in",
      random: random(options.seed * 2 + 1),
      faults: options,
      pass: (message, rest) => this.#receive(message, ...rest),
      broken,
    });
  }

  open(receive: Receive): Promise<void> {
    this.#receive = receive;
    return new Promise((resolve, reject) => {
      this.#break = reject;
      this.#transport
        .open((message, ...rest) => void this.#in.pass(message, rest))
        .then(
          () => {
            this.#in.flush();
            resolve();
          },
          (reason: unknown) => {
            this.#in.clear();
            reject(reason);
          },
        );
    });
  }

  send(message: Message | Batch, options?: SendOptions): void | Promise<void> {
    if (this.#broken) throw this.#broken;
    // What can't be serialised has to be told at once, however late it would be sent.
    stringify(message);
    return this.#out.pass(message, options);
  }

  close(): void | Promise<void> {
    this.#out.flush();
    return this.#transport.close();
  }

  cancel(id: Id): boolean {
    return this.#transport.cancel?.(id) ?? false;
  }

  #breakNow(): void {
    this.#broken = new ClosedError("The connection was broken by a fault", { sent: false });
    this.#in.clear();
    this.#out.clear();
    this.#break(this.#broken);
    void closed(this.#transport);
  }
}

async function closed(transport: Transport): Promise<void> {
  try {
    await transport.close();
  } catch {
    // Broken is what it should be.
  }
}
