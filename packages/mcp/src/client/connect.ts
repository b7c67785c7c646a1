import {
  type AnyErrorType,
  ClosedError,
  type Context,
  type Dispatcher,
  METHOD_NOT_FOUND,
  type Peer,
  RpcError,
  type Transport,
  createPeer,
} from "@x/jsonrpc";
import {
  MissingClientCapabilityError,
  UnsupportedProtocolVersionError,
  UrlElicitationRequiredError,
} from "../errors.ts";
import type { ClientHttp } from "../http/client.ts";
import { speaksHttp } from "../http/speaks.ts";
import type { ClientCapabilities } from "../model/capabilities.ts";
import type { Implementation } from "../model/implementation.ts";
import { TASKS_EXTENSION } from "../model/tasks.ts";
import { mcpProfile } from "../profile.ts";
import { type LifecycleName, type Revision, revisions } from "../revisions/index.ts";
import { capabilitiesOf } from "./answers.ts";
import { Client, type ClientOptions } from "./client.ts";
import type { Agreement, Link } from "./lifecycle.ts";
import { ProbeEndedConnection, negotiate } from "./negotiate.ts";

export interface ConnectOptions extends ClientOptions {
  /** Capabilities besides those that follow from what this client answers. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** Lets servers of 2026-07-28 and later carry calls of tools on as tasks (default: false). `callTool` follows them. */
  readonly tasks?: boolean | undefined;
  /** The revisions that this client speaks (default: all), newest first. */
  readonly revisions?: readonly Revision[] | undefined;
  /** Classes for codes of errors that this server answers with, so that `catch` gets a RoomTaken (see errorType). */
  readonly errors?: readonly AnyErrorType[] | undefined;
  /** How the server is met, where that is known (default: found out, stateless first). */
  readonly lifecycle?: LifecycleName | undefined;
  /** ms of silence after which the handshake is tried beside the stateless probe (default 500). */
  readonly hedge?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The protocol's own. */
const ERRORS: readonly AnyErrorType[] = [
  MissingClientCapabilityError,
  UnsupportedProtocolVersionError,
  UrlElicitationRequiredError,
];

/** How the servers behind functions that were given to `connect` were met, for as long as those functions live. */
const verdicts = new WeakMap<() => Transport, LifecycleName>();

/**
 * Connects to a server and settles the revision. Given a function, a server that ends at the first question is started
 * once more, and how it was met is remembered for the next time. Rejects with what went wrong: the transport's reason,
 * a VersionError, a TimeoutError.
 */
export async function connect(
  to: Transport | (() => Transport),
  info: Implementation,
  options: ConnectOptions = {},
): Promise<Client> {
  if (Array.isArray(options.roots)) (await import("./roots.ts")).checkRoots(options.roots);
  try {
    if (typeof to !== "function") return await open(to, info, options);
    const client = await meet(to, info, options);
    verdicts.set(to, client.revision.lifecycle);
    return client;
  } catch (error) {
    throw reasonOf(error);
  }
}

/** Why there is no connection, rather than which of our questions, whose method a peer's error begins with, went unanswered. */
function reasonOf(error: unknown): unknown {
  if (error instanceof ProbeEndedConnection) return reasonOf(error.cause);
  return error instanceof ClosedError && error.message.startsWith('"') ? (error.cause ?? error) : error;
}

async function meet(start: () => Transport, info: Implementation, options: ConnectOptions): Promise<Client> {
  const remembered = options.lifecycle === undefined ? verdicts.get(start) : undefined;
  try {
    return await open(start(), info, remembered ? { ...options, lifecycle: remembered } : options);
  } catch (error) {
    if (remembered && !options.signal?.aborted) {
      verdicts.delete(start);
      return await meet(start, info, options);
    }
    if (!(error instanceof ProbeEndedConnection)) throw error;
    return await open(start(), info, { ...options, lifecycle: "handshake" });
  }
}

/** ms. Over HTTP a server that is silent is most likely slow: one that knows no stateless requests refuses them. */
const HTTP_HEDGE = 5000;

async function open(transport: Transport, info: Implementation, options: ConnectOptions): Promise<Client> {
  const { hedge = speaksHttp(transport) ? HTTP_HEDGE : undefined, lifecycle, signal, timeout } = options;
  let http: ClientHttp | undefined;
  if (speaksHttp(transport)) {
    const { ClientHttp } = await import("../http/client.ts");
    transport.speak((http = new ClientHttp(options.revisions ?? revisions, options.onError)));
  }
  const connection = new Connection(transport, info, options);
  if (http) http.onReopened = () => connection.reopened();
  return await connection.settle((link) => negotiate(link, { hedge, lifecycle, signal, timeout }));
}

/** A peer that becomes a client once the terms are settled. */
class Connection implements Dispatcher {
  readonly #peer: Peer;
  readonly #link: Link;
  readonly #options: ConnectOptions;
  #agreement: Agreement | undefined;
  #client: Client | undefined;

  constructor(transport: Transport, info: Implementation, options: ConnectOptions) {
    const { capabilities, tasks, revisions: spoken = revisions, timeout, onError, errors = [] } = options;
    const extensions = { ...capabilities?.extensions, ...(tasks && { [TASKS_EXTENSION]: {} }) };
    this.#options = options;
    const profile = mcpProfile(() => this.#agreement?.revision.batches ?? false);
    this.#peer = createPeer(transport, { profile, service: this, timeout, onError, errors: [...errors, ...ERRORS] });
    this.#link = {
      info,
      capabilities: capabilitiesOf(options, { ...capabilities, ...(tasks && { extensions }) }),
      revisions: spoken,
      request: (method, params, call) => this.#peer.request(method, params, call),
      notify: (method, params) => this.#peer.notify(method, params),
      logLevel: undefined,
      onReopened: undefined,
      meta: undefined,
    };
  }

  dispatch(context: Context): unknown {
    if (this.#client) return this.#client.dispatch(context);
    if (context.id === undefined) return undefined;
    if (context.method === "ping") return {};
    throw new RpcError(METHOD_NOT_FOUND, `Method not found: "${context.method}" came before the handshake was over`);
  }

  reopened(): void {
    this.#link.onReopened?.();
  }

  async settle(agree: (link: Link) => Promise<Agreement>): Promise<Client> {
    try {
      this.#agreement = await agree(this.#link);
      this.#client = new Client(this.#peer, this.#link, this.#agreement, this.#options);
      await this.#agreement.lifecycle.begin?.(this.#link);
      return this.#client;
    } catch (error) {
      await this.#peer.close(error);
      throw error;
    }
  }
}
