import type { TextEnd } from "./text-pair.ts";

interface BareMessage {
  readonly id: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

type Method = (params: never) => unknown;

/** The limit: what is left of a peer when nothing is checked and nothing can go wrong. */
export const barePeer = (end: TextEnd, methods: { readonly [name: string]: Method } = {}): BarePeer =>
  new BarePeer(end, methods);

export class BarePeer {
  readonly #waiting = new Map<number, (result: unknown) => void>();
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #end: TextEnd;
  #lastId = 0;

  constructor(end: TextEnd, methods: { readonly [name: string]: Method }) {
    this.#end = end;
    this.#methods = new Map(Object.entries(methods));
    end.onText = (text) => this.#receive(JSON.parse(text) as BareMessage | BareMessage[]);
  }

  request(method: string, params: unknown): Promise<unknown> {
    return new Promise((resolve) => this.#end.send(JSON.stringify(this.#call(method, params, resolve))));
  }

  batch(method: string, params: readonly unknown[]): Promise<unknown[]> {
    const calls: BareMessage[] = [];
    const results = params.map((one) => new Promise((resolve) => calls.push(this.#call(method, one, resolve))));
    this.#end.send(JSON.stringify(calls));
    return Promise.all(results);
  }

  #call(method: string, params: unknown, resolve: (result: unknown) => void): BareMessage & { jsonrpc: "2.0" } {
    const id = ++this.#lastId;
    this.#waiting.set(id, resolve);
    return { jsonrpc: "2.0", id, method, params };
  }

  #receive(message: BareMessage | BareMessage[]): void {
    if (!Array.isArray(message)) {
      if (message.method === undefined) this.#settle(message);
      else this.#end.send(JSON.stringify(this.#answer(message)));
    } else if (message[0]?.method === undefined) message.forEach((one) => this.#settle(one));
    else this.#end.send(JSON.stringify(message.map((one) => this.#answer(one))));
  }

  #answer({ id, method = "", params }: BareMessage): object {
    return { jsonrpc: "2.0", id, result: this.#methods.get(method)?.(params as never) };
  }

  #settle({ id, result }: BareMessage): void {
    this.#waiting.get(id)?.(result);
    this.#waiting.delete(id);
  }
}
