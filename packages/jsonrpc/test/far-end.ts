import assert from "node:assert/strict";
import {
  type Message,
  type Notification,
  type Peer,
  type PeerOptions,
  type Request,
  type Transport,
  createPeer,
  memoryPair,
} from "@x/jsonrpc";

/** The other end of a peer's connection, played by hand: what arrives is looked at, any JSON can be sent. */
export class FarEnd {
  readonly transport: Transport;
  readonly ended: Promise<void>;
  readonly #arrived: unknown[] = [];
  #waiting: ((message: unknown) => void)[] = [];

  constructor(transport: Transport) {
    this.transport = transport;
    this.ended = transport.open((message) => {
      const next = this.#waiting.shift();
      if (next) next(message);
      else this.#arrived.push(message);
    });
  }

  send(message: unknown): void {
    void this.transport.send(Array.isArray(message) ? message.map(asIs) : asIs(message));
  }

  /** What arrives next, or has arrived and not been looked at. */
  next(): Promise<unknown> {
    if (this.#arrived.length > 0) return Promise.resolve(this.#arrived.shift());
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async request(): Promise<Request> {
    return (await this.next()) as Request;
  }

  async notification(): Promise<Notification> {
    return (await this.next()) as Notification;
  }

  /** Sends and gives what comes back. */
  ask(message: unknown): Promise<unknown> {
    this.send(message);
    return this.next();
  }

  /** Everything that has arrived by now and was not looked at. */
  async rest(): Promise<unknown[]> {
    await settled();
    return this.#arrived.splice(0);
  }

  /** Checks that nothing was sent that nobody looked at. */
  async nothing(): Promise<void> {
    assert.deepEqual(await this.rest(), []);
  }
}

/** Goes out as exactly this JSON, whatever a message should look like. */
const asIs = (json: unknown): Message => ({ toJSON: () => json }) as unknown as Message;

/** A peer and its far end. `reports` collects what its error hook hears. */
export interface Joined {
  readonly peer: Peer;
  readonly far: FarEnd;
  readonly reports: { readonly error: unknown; readonly origin: string }[];
}

export function join(options: PeerOptions = {}): Joined {
  const [near, other] = memoryPair();
  const reports: { error: unknown; origin: string }[] = [];
  const peer = createPeer(near, { onError: (error, origin) => reports.push({ error, origin }), ...options });
  return { peer, far: new FarEnd(other), reports };
}

/** Lets everything happen that needs no time. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const request = (id: unknown, method: string, params?: unknown): object => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
});
export const notification = (method: string, params?: unknown): object => ({
  jsonrpc: "2.0",
  method,
  ...(params === undefined ? {} : { params }),
});
export const success = (id: unknown, result: unknown): object => ({ jsonrpc: "2.0", id, result });
export const failure = (id: unknown, code: number, message = "no"): object => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

/** The error's code and message without what else it has. */
export const codeOf = (response: unknown): number | undefined => (response as { error?: { code: number } }).error?.code;

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** How promises ended, without rejecting; those that have not are missing. */
export function outcomes(promises: readonly Promise<unknown>[]): Map<number, Outcome> {
  const ended = new Map<number, Outcome>();
  for (const [index, promise] of promises.entries())
    promise.then(
      (value) => ended.set(index, { value }),
      (error: unknown) => ended.set(index, { error }),
    );
  return ended;
}
