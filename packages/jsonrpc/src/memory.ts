import { ClosedError } from "./errors.ts";
import type { Receive, Transport } from "./transport.ts";
import { parse, stringify } from "./wire.ts";

/**
 * Two joined transports in one process. Messages travel as text, so that what works here works on a wire, and arrive
 * in a microtask of their own, in order.
 */
export function memoryPair(): [Transport, Transport] {
  const a = new MemoryTransport();
  const b = new MemoryTransport();
  a.other = b;
  b.other = a;
  return [a, b];
}

class MemoryTransport implements Transport {
  other!: MemoryTransport;
  #receive: Receive | undefined;
  #inbox: string[] = [];
  #scheduled = false;
  #closed = false;
  #ended!: () => void;
  readonly #end = new Promise<void>((resolve) => (this.#ended = resolve));

  open(receive: Receive): Promise<void> {
    this.#receive = receive;
    if (this.#inbox.length > 0 || this.#closed) this.#schedule();
    return this.#end;
  }

  send(message: Parameters<Transport["send"]>[0]): void {
    if (this.#closed) throw new ClosedError("The connection is closed", { sent: false });
    this.other.#inbox.push(stringify(message));
    this.other.#schedule();
  }

  close(): void {
    this.#closed = true;
    this.#schedule();
    if (this.other.#closed) return;
    this.other.#closed = true;
    this.other.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || !this.#receive) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    this.#scheduled = false;
    const arrived = this.#inbox;
    this.#inbox = [];
    for (const text of arrived) this.#receive?.(parse(text));
    if (this.#closed && this.#inbox.length === 0) this.#ended();
  }
}
