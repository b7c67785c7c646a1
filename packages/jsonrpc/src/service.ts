import type { Given, HandledOf, Untyped } from "./contract.ts";
import { INVALID_REQUEST, RpcError, inFlight } from "./errors.ts";
import { unreachable } from "./exchange.ts";
import { type Answers, sendAnswers } from "./fault.ts";
import { type Context, type Dispatcher, type Environment, type Handler, type Middleware, compose } from "./handler.ts";
import { type Desk, Inbound, deskOf, methodNotFound } from "./inbound.ts";
import type { Id } from "./message.ts";
import { type Peer, type PeerOptions, createPeer } from "./peer.ts";
import { attempt } from "./report.ts";
import { offAbort, onAbort } from "./signals.ts";
import type { Info, Transport } from "./transport.ts";
import { parse, stringify } from "./wire.ts";

/** A handler for every method of a contract. */
export type Handlers<C, Env extends Environment = Environment> = {
  readonly [M in keyof C]: HandledOf<C, M> extends (...args: infer A) => infer R
    ? (params: A extends [] ? undefined : A[0], context: Context<Env>) => Awaited<R> | Promise<Awaited<R>>
    : never;
};

/** A peer's options are the defaults of every connection. */
export interface ServiceOptions extends Omit<PeerOptions, "service"> {
  /** Takes the methods that have no handler, instead of -32601. */
  readonly fallback?: ((context: Context) => unknown) | undefined;
}

/** Methods with their middleware, ready to serve any number of connections and single exchanges. */
export class Service<Env extends Environment = Environment> implements Dispatcher {
  readonly #handlers: ReadonlyMap<string, Handler>;
  readonly #options: ServiceOptions;
  readonly #middleware: Middleware<Context>[] = [];
  readonly #desk: Desk;
  /** Middleware such as `deduplicate` may answer a repeated request; the handler does not run again, so others get -32600. */
  repeat?: (context: Context) => unknown;
  #dispatch: (context: Context) => unknown = (context) => this.#invoke(context);

  constructor(handlers: object, options: ServiceOptions = {}) {
    this.#handlers = new Map(Object.entries(handlers) as [string, Handler][]);
    this.#options = options;
    this.#desk = deskOf(this, options);
  }

  /** Adds middleware around every call; the first added is the outermost. */
  use(...middleware: Middleware<Context<Env>>[]): this {
    // `Env` is what the caller says of the transport and of its own middleware.
    this.#middleware.push(...(middleware as Middleware<Context>[]));
    this.#dispatch = compose(this.#middleware, (context) => this.#invoke(context));
    this.repeat = compose(this.#middleware, ({ id }) => {
      throw new RpcError(INVALID_REQUEST, `Invalid Request: ${inFlight(id as Id)}`);
    });
    return this;
  }

  dispatch(context: Context): unknown {
    return this.#dispatch(context);
  }

  /** Serves one connection. The peer can also call the other side. */
  connect<C = Untyped>(transport: Transport, options: PeerOptions = {}): Peer<C> {
    return createPeer<C>(transport, { ...this.#options, ...options, service: this });
  }

  /**
   * Answers one text with one text, for carriers such as HTTP or a queue; undefined when there is nothing to answer.
   * Resolves when all of it is handled, notifications too. `signal` aborts the handlers. Never rejects.
   */
  handle(text: string, info?: Info, signal?: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve) => {
      let isAnswered = false;
      const stop = (): void => abort(signal?.reason);
      const abort = this.answer(text, info, (answer) => {
        isAnswered = true;
        if (signal) offAbort(signal, stop);
        resolve(answer);
      });
      if (isAnswered) return;
      if (signal?.aborted) stop();
      else if (signal) onAbort(signal, stop, stop);
    });
  }

  /**
   * As `handle`, without a promise: `done` gets the answer in the same turn where handlers give values. Gives what aborts
   * the handlers; they are still answered.
   */
  answer(text: string, info: Info | undefined, done: (answer: string | undefined) => void): (reason: unknown) => void {
    // Ids of different exchanges have nothing to do with each other; the limits are shared.
    const exchange = new Inbound(this.#desk, unreachable);
    const { report } = this.#desk;
    // What it throws is the carrier's, and must not keep a place from others.
    const give = (answers: Answers | undefined): void =>
      attempt(
        () => done(answers && sendAnswers(answers, asText, report)),
        (error) => report(error, "transport"),
      );
    exchange.receive(parse(text), info, give);
    return (reason) => exchange.end(() => reason);
  }

  #invoke(context: Context): unknown {
    const handler = this.#handlers.get(context.method);
    if (handler) return handler(context.params, context);
    if (this.#options.fallback) return this.#options.fallback(context);
    throw methodNotFound(context.method);
  }
}

/**
 * A service from a table of handlers: `implement<Shop>({ queryStock: ({ itemId }) => … })`. The table's own enumerable
 * members are the methods. Without a contract handlers say what params they take.
 */
export function implement<C = Untyped, Env extends Environment = Environment>(
  handlers: Handlers<Given<C>, Env>,
  options?: ServiceOptions,
): Service<Env> {
  return new Service(handlers, options);
}

const asText = { send: stringify };
