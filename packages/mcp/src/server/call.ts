import type { CallOptions, Context, Id, Info } from "@x/jsonrpc";
import { isAtLeast } from "../model/logging.ts";
import { type Meta, metaOf } from "../model/meta.ts";
import type * as Asks from "./asking/ask.ts";
import type { Asker } from "./asking/asker.ts";
import type { Call, Connection, Told } from "./contract.ts";
import type { McpContext } from "./context.ts";
import type { ClientFacts } from "./client-facts.ts";
import type { Lifecycle } from "./contract.ts";
import { type Log, logOf } from "./log.ts";

let loaded: Promise<typeof Asks> | undefined;
// One promise for all: questions that are asked in one turn must reach the asker in one turn.
const asks = (): Promise<typeof Asks> => (loaded ??= import("./asking/ask.ts"));

const ASKS = ["elicit", "elicitUrl", "sample", "listRoots", "once"] as const satisfies readonly (keyof typeof Asks)[];

const METHODS = ["abort", "detach", "progress", "notify", "request"] as const satisfies readonly (keyof McpContext)[];

/** One request while it is served. */
export class ServerCall implements Call {
  static {
    // Handlers take their context apart, as in `(args, { progress }) => …`: each method works on its own. Bound when it
    // is asked for, since most calls use none.
    const bind = (name: string, method: (this: ServerCall, ...args: never[]) => unknown): unknown =>
      Object.defineProperty(ServerCall.prototype, name, {
        get(this: ServerCall) {
          return method.bind(this);
        },
      });
    for (const name of METHODS) bind(name, ServerCall.prototype[name]);
    for (const name of ASKS)
      bind(name, function (...args) {
        const answer = asks().then((them) => (them[name] as (call: Call, ...args: never[]) => unknown)(this, ...args));
        // A handler that has asked two things stops at the first: nobody awaits the other.
        answer.catch(() => {});
        return answer;
      });
  }

  declare readonly elicit: McpContext["elicit"];
  declare readonly elicitUrl: McpContext["elicitUrl"];
  declare readonly sample: McpContext["sample"];
  declare readonly listRoots: McpContext["listRoots"];
  declare readonly once: McpContext["once"];

  readonly session: Connection;
  readonly client: ClientFacts;
  readonly lifecycle: Lifecycle;
  readonly sent: Call["sent"];
  /** Set where the result already has the form in which it is sent, such as a page that many clients get. */
  finished: object | undefined;
  /** Made when a handler asks the client for something. */
  asking: Asker | undefined;
  onDetach: (() => void) | undefined;
  readonly #context: Context;
  #asker: Promise<Asker> | undefined;
  #progress = -Infinity;
  #answered = false;
  #told: Told | undefined;
  #log: Log | undefined;

  constructor(session: Connection, client: ClientFacts, lifecycle: Lifecycle, context: Context) {
    this.session = session;
    this.lifecycle = lifecycle;
    this.client = client;
    this.#context = context;
    this.sent = context.params as Call["sent"];
  }

  get id(): Id | undefined {
    return this.#context.id;
  }

  get method(): string {
    return this.#context.method;
  }

  /** MCP's parameters are always an object. */
  get params(): { readonly [name: string]: unknown } {
    return this.#context.params ?? EMPTY;
  }

  set params(params) {
    this.#context.params = params;
  }

  get state(): Record<PropertyKey, unknown> {
    return this.#context.state;
  }

  get connection(): object | undefined {
    return this.#context.connection;
  }

  get meta(): Meta | undefined {
    return metaOf(this.#context.params);
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get info(): Info {
    return this.#context.info;
  }

  abort(reason: unknown): void {
    this.#context.abort(reason);
  }

  asker(): Promise<Asker> {
    return (this.#asker ??= this.lifecycle.asker(this).then((asker) => (this.asking = asker)));
  }

  /** Who is authenticated, as the transport says. */
  get principal(): string | undefined {
    const { principal } = (this.info["auth"] ?? EMPTY) as { principal?: unknown };
    return typeof principal === "string" ? principal : undefined;
  }

  async detach(): Promise<void> {
    // Questions that were begun before come first, also while their code is loaded.
    await loaded;
    await this.#asker;
    this.onDetach?.();
  }

  follow(asker: Asker, told: Told | undefined): void {
    this.#asker = Promise.resolve(asker);
    this.asking = undefined;
    this.#told = told;
  }

  get #over(): boolean {
    return this.#told ? this.#told.isFinal : this.#answered;
  }

  #tell(method: string, params: object): void {
    void this.notify(method, this.#told ? { ...params, _meta: this.#told.meta } : params);
  }

  get log(): Log {
    return (this.#log ??= logOf((message) => {
      const floor = this.lifecycle.logLevel(this);
      if (floor !== undefined && isAtLeast(message.level, floor) && !this.#over)
        this.#tell("notifications/message", message);
    }));
  }

  progress(progress: number, total?: number, message?: string): void {
    const token = this.meta?.["progressToken"];
    if ((typeof token !== "string" && typeof token !== "number") || this.#over || !(progress > this.#progress)) return;
    this.#progress = progress;
    this.#tell("notifications/progress", { progressToken: token, progress, total, message });
  }

  /** Nothing is sent for a request that was cancelled (basic/patterns/cancellation). */
  notify(method: string, params?: unknown): Promise<void> {
    return this.signal.aborted ? Promise.resolve() : this.#context.notify(method, params);
  }

  request(method: string, params?: unknown, options?: CallOptions): Promise<unknown> {
    return this.#context.request(method, params, options);
  }

  /** The answer is on its way: nothing may follow it. */
  end(): void {
    this.#answered = true;
  }
}

const EMPTY = Object.freeze({});
