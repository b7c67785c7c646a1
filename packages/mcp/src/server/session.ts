import {
  type Context,
  type Dispatcher,
  INTERNAL_ERROR,
  METHOD_NOT_FOUND,
  type Peer,
  type PeerOptions,
  type Report,
  RpcError,
  type Transport,
  createPeer,
} from "@x/jsonrpc";
import { isPromise } from "../after.ts";
import { RESOURCE_NOT_FOUND, URL_ELICITATION_REQUIRED } from "../errors.ts";
import type { LogLevel } from "../model/logging.ts";
import { mcpProfile } from "../profile.ts";
import type { Revision } from "../revisions/index.ts";
import { InputRequired } from "./asking/asker.ts";
import type { Connection } from "./contract.ts";
import { ServerCall } from "./call.ts";
import { handshake } from "./handshake.ts";
import type { ClientFacts } from "./client-facts.ts";
import type { Lifecycle, Method, ServerCore } from "./contract.ts";
import { stateless } from "./stateless.ts";

/** The first that claims a request serves it. */
const lifecycles: readonly Lifecycle[] = [stateless, handshake];

/** One connection of a server: its peer, and what a handshake has settled. */
export class Session implements Dispatcher, Connection {
  readonly server: ServerCore;
  readonly peer: Peer;
  /** Set by a handshake. */
  client: ClientFacts | undefined;
  /** The client has said `notifications/initialized`. */
  initialized = false;
  /** Until the client says otherwise. */
  logLevel: LogLevel = "info";
  readonly #onError: Report | undefined;
  #onInitialized: (() => void)[] = [];

  constructor(server: ServerCore, transport: Transport, options: PeerOptions) {
    this.server = server;
    this.#onError = options.onError;
    const profile = mcpProfile(() => this.client?.revision.batches ?? false);
    // Spreading the options into a literal that goes on took 1.7 µs, a third of what a single exchange takes.
    this.peer = createPeer(transport, Object.assign({}, options, { profile, service: this }));
  }

  get closed(): Promise<unknown> {
    return this.peer.closed;
  }

  notify(method: string, params?: object): Promise<void> {
    return this.peer.notify(method, params);
  }

  report(error: unknown): void {
    try {
      this.#onError?.(error, "handler");
    } catch (fault) {
      console.error(fault);
    }
  }

  close(reason?: unknown): Promise<void> {
    return this.peer.close(reason);
  }

  /** Resolves when the client has said `notifications/initialized`, or after `ms`: where messages overtake each other. */
  untilInitialized(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, ms);
      this.#onInitialized.push(() => {
        clearTimeout(late);
        resolve();
      });
    });
  }

  dispatch(context: Context): unknown {
    if (context.id === undefined) return this.#notification(context);
    for (const lifecycle of lifecycles) {
      const client = lifecycle.accept(context, this);
      if (client) return this.#serve(context, lifecycle, client);
    }
    throw notFound(context);
  }

  #serve(context: Context, lifecycle: Lifecycle, client: ClientFacts): unknown {
    const method = methodFor(this.server, context.method, client.revision);
    if (!method) throw notFound(context, client);
    const call = new ServerCall(this, client, lifecycle, context);
    const prepared = lifecycle.prepare?.(call);
    return prepared ? prepared.then(() => run(method, call)) : run(method, call);
  }

  #notification(context: Context): unknown {
    if (context.method !== "notifications/initialized") return this.server.notified(context);
    if (this.client) this.initialized = true;
    for (const then of this.#onInitialized.splice(0)) then();
    return undefined;
  }
}

/** What answers a method in a revision; undefined where nothing does. */
export function methodFor(server: ServerCore, name: string, revision: Revision): Method | undefined {
  if (!revision.requests.has(name)) return server.custom.get(name);
  return lifecycleOf(revision).methods.get(name) ?? server.methods.get(name);
}

const lifecycleOf = ({ lifecycle }: Revision): Lifecycle => (lifecycle === "stateless" ? stateless : handshake);

function run(method: Method, call: ServerCall): unknown {
  let outcome: unknown;
  try {
    outcome = call.session.server.run(method, call);
  } catch (error) {
    return failed(call, error);
  }
  if (!isPromise(outcome)) return finished(call, outcome);
  return outcome.then(
    (result) => finished(call, result),
    (error: unknown) => failed(call, error),
  );
}

/** Once something was asked, the questions are the answer, whatever the handler made of it. */
function finished(call: ServerCall, result: unknown): object | Promise<object> {
  call.end();
  const questions = call.asking?.pending?.();
  if (questions) return questions.then((asked) => call.lifecycle.finish(asked, call));
  // Middleware may have made something else of it.
  if (call.finished && result === call.finished) return call.finished;
  if (typeof (result ?? undefined) === "object") return call.lifecycle.finish(result as object, call);
  if (result !== undefined && result !== null) throw new TypeError(`"${call.method}" must be answered with an object`);
  return call.lifecycle.finish({}, call);
}

function failed(call: ServerCall, error: unknown): unknown {
  if (error instanceof InputRequired && call.asking?.pending) return finished(call, undefined);
  call.end();
  throw inWordsOf(call.client.revision, error);
}

/** An error that only some revisions have, as this one says it (basic/index, "Error codes"). */
function inWordsOf({ missingResource, urlRequired }: Revision, error: unknown): unknown {
  if (!RpcError.is(error)) return error;
  const { code, message, data } = error;
  if (code === RESOURCE_NOT_FOUND && missingResource !== code) return new RpcError(missingResource, message, data);
  return code === URL_ELICITATION_REQUIRED && !urlRequired ? new RpcError(INTERNAL_ERROR, message) : error;
}

const notFound = ({ method }: Context, client?: ClientFacts): RpcError =>
  new RpcError(
    METHOD_NOT_FOUND,
    `Method not found: "${method}"${client ? ` in ${client.revision.version}, or not offered by this server` : ""}`,
  );
