import {
  type Context,
  type Dispatcher,
  Exchange,
  type InboundOptions,
  type Info,
  type Receive,
  type Report,
  type Way,
} from "@x/jsonrpc";
import type { LogLevel } from "../model/logging.ts";
import { mcpProfile } from "../profile.ts";
import type { ClientFacts } from "./client-facts.ts";
import type { Connection, ServerCore } from "./contract.ts";
import { serve } from "./serve.ts";
import { tell } from "./tell.ts";

/** A message that is served on its own: to its handler a connection like others, but there is no peer to be asked. */
export class Single implements Dispatcher, Connection {
  readonly server: ServerCore;
  client: ClientFacts | undefined;
  initialized = false;
  logLevel: LogLevel = "info";
  readonly #exchange: Exchange;
  readonly #onError: Report | undefined;
  #closed: Promise<unknown> | undefined;
  #resolve: ((reason: unknown) => void) | undefined;
  #over = false;

  constructor(server: ServerCore, way: Way, options: InboundOptions) {
    this.server = server;
    this.#onError = options.onError;
    const profile = mcpProfile(() => this.client?.revision.batches ?? false);
    this.#exchange = new Exchange(way, Object.assign({}, options, { profile, service: this }));
  }

  receive(message: unknown, info?: Info, silent?: Parameters<Receive>[2]): void {
    this.#exchange.receive(message, info, silent);
  }

  /** Made for the few that ask. */
  get closed(): Promise<unknown> {
    return (this.#closed ??= this.#over ? Promise.resolve() : new Promise((resolve) => (this.#resolve = resolve)));
  }

  notify(method: string, params?: object): Promise<void> {
    return this.#exchange.notify(method, params);
  }

  report(error: unknown): void {
    tell(this.#onError, error);
  }

  close(reason?: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#exchange.close(reason);
    this.#resolve?.(reason);
  }

  dispatch(context: Context): unknown {
    return context.id === undefined ? this.server.notified(context) : serve(context, this);
  }
}
