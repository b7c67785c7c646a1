import type { Batch, Message } from "../message.ts";
import type { Transport } from "../transport.ts";
import { sorted } from "./same.ts";

/** Longest that anything may take in a case of the suite, in ms. */
const LIMIT = 10_000;

/** One of two joined transports in a case of the suite: what arrives on it is kept, and how it ended. */
export class End {
  readonly transport: Transport;
  readonly arrived: unknown[] = [];
  readonly ended: Promise<unknown>;
  hasEnded = false;
  readonly #late: unknown[] = [];
  #wanted = Infinity;
  #wake: () => void = () => {};

  constructor(transport: Transport) {
    this.transport = transport;
    const open = transport.open((message) => {
      this.arrived.push(message);
      if (this.hasEnded) this.#late.push(message);
      if (this.arrived.length >= this.#wanted) this.#wake();
    });
    const settled = (): void => void (this.hasEnded = true);
    this.ended = open.then(settled, settled);
  }

  async send(message: Message | Batch): Promise<void> {
    await within(Promise.resolve(this.transport.send(message)), "send() settles");
  }

  /** Waits until so many messages have arrived, and checks that they are these. */
  async expect(messages: readonly (Message | Batch)[]): Promise<void> {
    const all = new Promise<void>((resolve) => (this.#wake = resolve));
    this.#wanted = messages.length;
    if (this.arrived.length < messages.length)
      await within(all, `${messages.length} messages arrive`, () => `${this.arrived.length} did`);
    const got = this.arrived.splice(0);
    for (const [index, expected] of messages.entries()) equal(got[index], expected, `message ${index + 1}`);
    equal(got.length, messages.length, "the number of messages");
  }

  async close(): Promise<void> {
    await within(Promise.resolve(this.transport.close()), "close() settles");
    await within(this.ended, "open() settles after close()");
    equal(this.#late, [], "what arrived after open() had settled");
  }
}

/** Fails if it takes longer than anything should. */
export async function within<T>(
  promise: Promise<T>,
  what: string,
  instead: () => string = () => "it did not",
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Expected that ${what} within ${LIMIT} ms, but ${instead()}`)), LIMIT);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [sorted(actual), sorted(expected)];
  if (got !== wanted) throw new Error(`Expected ${what} to be ${short(wanted)}, got ${short(got)}`);
}

const short = (text: string | undefined): string =>
  text === undefined || text.length <= 300 ? String(text) : `${text.slice(0, 300)}… (${text.length} characters)`;
