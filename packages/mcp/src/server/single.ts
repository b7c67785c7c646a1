import {
  type Context,
  type Dispatcher,
  Exchange,
  type InboundOptions,
  type Info,
  type Receive,
  type Way,
} from "@x/jsonrpc";
import type { LogLevel } from "../model/logging.ts";
import { mcpProfile } from "../profile.ts";
import type { ClientFacts } from "./client-facts.ts";
import type { Connection, ServerCore } from "./contract.ts";
import { serve } from "./serve.ts";
import { tell } from "../tell.ts";

const batches = /* @__PURE__ */ mcpProfile(() => true);
const one = /* @__PURE__ */ mcpProfile(() => false);

/** A message that is served on its own: to its handler a connection like others, but there is no peer to be asked. */
export class Single implements Dispatcher, Connection {
  readonly server: ServerCore;
  readonly isSingle = true;
  client: ClientFacts | undefined;
  initialized = false;
  hold: Promise<unknown> | undefined;
  logLevel: LogLevel = "info";
  readonly #way: Way;
  readonly #options: InboundOptions;
  #exchange: Exchange | undefined;
  #closed: Promise<unknown> | undefined;
  #resolve: ((reason: unknown) => void) | undefined;
  #over = false;

  constructor(server: ServerCore, way: Way, options: InboundOptions) {
    this.server = server;
    this.#way = way;
    this.#options = options;
  }

  receive(message: unknown, info?: Info, silent?: Parameters<Receive>[2]): void {
    const { concurrency, queue, maxBatch, onError } = this.#options;
    const profile = this.client?.revision.batches ? batches : one;
    this.#exchange = new Exchange(this.#way, { concurrency, queue, maxBatch, onError, profile, service: this });
    this.#exchange.receive(message, info, silent);
  }

  /** Made for the few that ask. */
  get closed(): Promise<unknown> {
    return (this.#closed ??= this.#over ? Promise.resolve() : new Promise((resolve) => (this.#resolve = resolve)));
  }

  notify(method: string, params?: object): Promise<void> {
    return this.#exchange?.notify(method, params) ?? Promise.resolve();
  }

  report(error: unknown): void {
    void tell(this.#options.onError, error);
  }

  close(reason?: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#exchange?.close(reason);
    this.#resolve?.(reason);
  }

  dispatch(context: Context): unknown {
    return context.id === undefined ? this.server.notified(context) : serve(context, this);
  }
}
