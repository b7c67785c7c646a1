import { Answers } from "./batch.ts";
import type { Incoming } from "./context.ts";
import type { Untyped } from "./contract.ts";
import { INVALID_REQUEST, RpcError } from "./errors.ts";
import { type Context, type Dispatcher, type Environment, type Handler, type Middleware, compose } from "./handler.ts";
import { faultFor } from "./fault.ts";
import { Inbound, type InboundOptions, inFlight, methodNotFound } from "./inbound.ts";
import { Invalid } from "./invalid.ts";
import { type Id, type Notification, type Request, type Response, kindOf } from "./message.ts";
import { type Peer, type PeerOptions, createPeer } from "./peer.ts";
import { type Profile, base } from "./profile.ts";
import { type Report, reporter } from "./report.ts";
import type { Info, Transport } from "./transport.ts";
import { type Incoming as ParsedText, parse, stringify } from "./wire.ts";

/** A handler for every method of a contract. */
export type Handlers<C, Env extends Environment = Environment> = {
  readonly [M in keyof C]: C[M] extends (...args: infer A) => infer R
    ? (params: A extends [] ? undefined : A[0], context: Context<Env>) => R | Promise<Awaited<R>>
    : never;
};

export interface ServiceOptions extends InboundOptions {
  /** Takes the methods that have no handler, instead of -32601. */
  readonly fallback?: ((context: Context) => unknown) | undefined;
  readonly profile?: Profile | undefined;
  /** See PeerOptions. */
  readonly onError?: Report | undefined;
}

/** Methods with their middleware, ready to serve any number of connections and single exchanges. */
export class Service implements Dispatcher {
  readonly #handlers: ReadonlyMap<string, Handler>;
  readonly #options: ServiceOptions;
  readonly #middleware: Middleware<Context>[] = [];
  readonly #report: Report;
  /** Shared by all single exchanges, whose ids have nothing to do with each other. */
  readonly #exchanges: Inbound;
  #dispatch: (context: Context) => unknown = (context) => this.#invoke(context);

  constructor(handlers: object, options: ServiceOptions = {}) {
    this.#handlers = new Map(Object.entries(handlers) as [string, Handler][]);
    this.#options = options;
    this.#report = reporter(options.onError);
    this.#exchanges = new Inbound(this, options.profile ?? base, options, this.#report, () => {});
  }

  /** Adds middleware around every call; the first added is the outermost. */
  use(...middleware: Middleware<Context>[]): this {
    this.#middleware.push(...middleware);
    this.#dispatch = compose(this.#middleware, (context) => this.#invoke(context));
    return this;
  }

  dispatch(context: Context): unknown {
    return this.#dispatch(context);
  }

  /** Middleware such as `deduplicate` may answer a repeated request; the handler does not run again, so others get -32600. */
  repeat(context: Context): unknown {
    return compose(this.#middleware, ({ id }) => {
      throw new RpcError(INVALID_REQUEST, `Invalid Request: ${inFlight(id as Id)}`);
    })(context);
  }

  /** Serves one connection. The peer can also call the other side. */
  connect<C = Untyped>(transport: Transport, options: PeerOptions = {}): Peer<C> {
    return createPeer<C>(transport, { ...this.#options, ...options, service: this });
  }

  /**
   * Answers one text with one text, for carriers such as HTTP or a queue; undefined when there is nothing to answer.
   * `signal` aborts the handlers. Never rejects.
   */
  async handle(text: string, info?: Info, signal?: AbortSignal): Promise<string | undefined> {
    return await new Promise((resolve) => this.#exchange(parse(text), info, signal, resolve));
  }

  #exchange(
    incoming: ParsedText,
    info: Info | undefined,
    signal: AbortSignal | undefined,
    resolve: (answer: string | undefined) => void,
  ): void {
    const inbound = this.#exchanges;
    const refusal = Array.isArray(incoming) ? inbound.refuseBatch(incoming) : undefined;
    const message = refusal === undefined ? incoming : Invalid.frame(refusal);
    const members: readonly unknown[] = Array.isArray(message) ? message : [message];
    const abort = (): void => tasks.forEach((task) => task?.abort(signal?.reason));
    const answers = new Answers(members.length, (responses) => {
      signal?.removeEventListener("abort", abort);
      resolve(this.#textOf(responses, Array.isArray(message)));
    });
    const tasks: (Incoming | undefined)[] = [];
    for (const member of members) tasks.push(this.#accept(inbound, member, info, answers));
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
  }

  #accept(inbound: Inbound, message: unknown, info: Info | undefined, answers: Answers): Incoming | undefined {
    switch (kindOf(message)) {
      case "request":
        return inbound.request(message as Request, info, answers);
      case "notification":
        return void inbound.notification(message as Notification, info, answers);
      case "invalid":
        return void inbound.invalid(Invalid.of(message), answers);
      default:
        // A response: this carrier sends no requests, so nobody waits for it.
        return void answers.settle(undefined);
    }
  }

  #textOf(responses: readonly Response[], batch: boolean): string | undefined {
    const texts = responses.map((response) => {
      try {
        return stringify(response);
      } catch (fault) {
        this.#report(fault, "handler");
        return stringify(faultFor(response, fault));
      }
    });
    return batch && texts.length > 0 ? `[${texts.join(",")}]` : texts[0];
  }

  #invoke(context: Context): unknown {
    const handler = this.#handlers.get(context.method);
    if (handler) return handler(context.params, context);
    if (this.#options.fallback) return this.#options.fallback(context);
    throw methodNotFound(context.method);
  }
}

/** A service from a table of handlers: `implement<Shop>({ queryStock: ({ itemId }) => … })`. */
export function implement<C, Env extends Environment = Environment>(
  handlers: Handlers<C, Env>,
  options?: ServiceOptions,
): Service {
  return new Service(handlers, options);
}
