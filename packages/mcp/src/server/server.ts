import { type Context, type Middleware, type PeerOptions, type Transport, compose } from "@x/jsonrpc";
import { isPromise } from "../after.ts";
import type { ServerHttp } from "../http/server.ts";
import type { CacheHints } from "../model/caching.ts";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Implementation } from "../model/implementation.ts";
import type { JsonObject } from "../model/json.ts";
import { type Meta, SERVER_INFO } from "../model/meta.ts";
import { type Revision, revisions } from "../revisions/index.ts";
import type { InputOf, OutputOf } from "../schema/compile.ts";
import type { JsonSchemaValidator } from "../schema/schema.ts";
import { InputRequired } from "./asking/asker.ts";
import type { SealOptions } from "./asking/seal.ts";
import { type Hints, hintsOf } from "./caching.ts";
import { CompletionFeature } from "./completion-feature.ts";
import type { Call, Method, ServerCore } from "./contract.ts";
import type { McpContext } from "./context.ts";
import type { Feature, FeatureOptions, ListName } from "./feature.ts";
import type { Features } from "./features.ts";
import type { AnyPromptOptions, PromptHandler, PromptOptions, PromptRegistration } from "./prompt.ts";
import { PromptsFeature } from "./prompts-feature.ts";
import type { ResourceOptions, ResourceReader, ResourceRegistration } from "./resource.ts";
import { ResourcesFeature } from "./resources-feature.ts";
import { Session } from "./session.ts";
import type { Subscriptions } from "./subscriptions/index.ts";
import { SubscriptionsFeature } from "./subscriptions-feature.ts";
import type { AnyToolOptions, ToolHandler, ToolOptions, ToolRegistration } from "./tool.ts";
import type { TasksOptions } from "./tasks/store.ts";
import { TasksFeature } from "./tasks-feature.ts";
import { Tools } from "./tools.ts";

export interface McpServerOptions {
  /** For the model: how to use this server as a whole. */
  readonly instructions?: string | undefined;
  /** The revisions that are served (default: all), newest first. */
  readonly revisions?: readonly Revision[] | undefined;
  /** Items on a page of a list (default: all on one). */
  readonly pageSize?: number | undefined;
  /** How long stateless clients may keep lists and resources, and for whom (default: not at all). */
  readonly cache?: CacheHints | undefined;
  /** Tells clients of each change of a list (default: true), as it then declares. */
  readonly listChanged?: boolean | undefined;
  /** Checks plain JSON Schemas instead of ajv, which needs `new Function`. */
  readonly validator?: JsonSchemaValidator | undefined;
  /** "lenient" takes requests that come before "notifications/initialized" (default: they are refused). */
  readonly lifecycle?: "strict" | "lenient" | undefined;
  /** Protocol extensions that this server offers, by id such as "com.example/feature", with their settings. */
  readonly extensions?: { readonly [id: string]: JsonObject } | undefined;
  /** For tools with the option `task`: how long tasks are kept, how often clients should ask, how many there may be. */
  readonly tasks?: TasksOptions | undefined;
  /** How what stateless clients carry from round to round is sealed, and how many rounds there may be (default 10). */
  readonly state?: (SealOptions & { readonly rounds?: number | undefined }) | undefined;
}

/** What a connection of a server is to its user. */
export interface ServerConnection {
  /** Resolves, never rejects, when the connection has ended. */
  readonly closed: Promise<unknown>;
  close(reason?: unknown): Promise<void>;
}

/** An MCP server. One object serves any number of connections at once, in every revision. */
export class McpServer implements ServerCore {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly revisions: readonly Revision[];
  readonly resultMeta: Meta;
  readonly seal: SealOptions | undefined;
  readonly maxRounds: number;
  readonly hints: Hints;
  readonly validator: JsonSchemaValidator | undefined;
  readonly lenient: boolean;
  readonly methods: ReadonlyMap<string, Method>;
  readonly custom: ReadonlyMap<string, Method>;
  readonly #custom = new Map<string, Method>();
  readonly #notifications = new Map<string, (params: unknown, context: Context) => unknown>();
  readonly #middleware: Middleware<McpContext>[] = [];
  /** Each method with its middleware. */
  readonly #around = new Map<Method, (call: McpContext) => unknown>();
  readonly #methods = new Map<string, Method>();
  readonly #options: FeatureOptions;
  readonly #sessions = new Set<Session>();
  readonly #due = new Set<ListName>();
  /** What it has besides its features. */
  readonly #own: ServerCapabilities;
  readonly #features: { -readonly [name in keyof Features]: Features[name] } & {
    tools?: Tools;
    completion?: CompletionFeature;
  } = {};
  readonly #subscriptions: SubscriptionsFeature;

  constructor(info: Implementation, options: McpServerOptions = {}) {
    this.info = info;
    this.instructions = options.instructions;
    this.revisions = options.revisions ?? revisions;
    this.resultMeta = { [SERVER_INFO]: info };
    this.seal = checked(options.state);
    this.maxRounds = options.state?.rounds ?? 10;
    this.hints = hintsOf(options.cache);
    this.validator = options.validator;
    this.lenient = options.lifecycle === "lenient";
    this.methods = this.#methods;
    this.custom = this.#custom;
    this.#options = {
      ...options,
      listChanged: options.listChanged ?? true,
      changed: (list) => this.#changed(list),
      completes: () => (this.#features.completion ??= this.#add(new CompletionFeature(this.#features))),
    };
    this.#own = { logging: {}, ...extensionsOf(options.extensions) };
    this.#subscriptions = this.#add(new SubscriptionsFeature(this.#features));
  }

  capabilities(revision: Revision): ServerCapabilities {
    const features = Object.values(this.#features) as readonly Feature[];
    return Object.assign({}, this.#own, ...features.map((feature) => feature.capabilities(revision)));
  }

  /** Registers a tool. It may be called while clients are connected. Throws a TypeError that names a tool that can't be published. */
  tool<const Name extends string, In = undefined, Out = undefined>(
    name: Name,
    options: ToolOptions<In, Out>,
    handler: ToolHandler<In, Out>,
  ): ToolRegistration<Name, InputOf<In, Record<string, unknown>>, OutputOf<Out, unknown>> {
    if (options.task) this.#features.tasks ??= this.#add(new TasksFeature(this.#options));
    this.#features.tools ??= this.#add(new Tools(this.#options, this.#features));
    return { name, ...this.#features.tools.registry.add(name, options as AnyToolOptions, handler) };
  }

  /**
   * Registers a resource, or all resources that a URI template describes. It may be called while clients are connected.
   * Throws a TypeError that names a resource that can't be published.
   */
  resource<const Uri extends string>(
    uri: Uri,
    options: ResourceOptions<Uri>,
    read: ResourceReader<Uri>,
  ): ResourceRegistration {
    this.#features.resources ??= this.#add(new ResourcesFeature(this.#options));
    return { uri, ...this.#features.resources.registryFor(uri).add(uri, options, read) };
  }

  /** Tells those who watch it that a resource has changed. */
  resourceUpdated(uri: string): void {
    void this.#features.resources?.tell((resources) => resources.updated(uri));
  }

  /** Registers a prompt. It may be called while clients are connected. Throws a TypeError that names a prompt that can't be published. */
  prompt<const Taken = undefined>(
    name: string,
    options: PromptOptions<Taken>,
    handler: PromptHandler<Taken>,
  ): PromptRegistration {
    this.#features.prompts ??= this.#add(new PromptsFeature(this.#options));
    return { name, ...this.#features.prompts.registry.add(name, options as AnyPromptOptions, handler) };
  }

  /**
   * Adds a request method of one's own, say "com.example/reindex", in every revision. Its parameters come as they are,
   * with their `_meta`; its results are objects. Throws a TypeError for one of the protocol's.
   */
  method(
    name: string,
    handler: (params: McpContext["params"], context: McpContext) => object | void | Promise<object | void>,
  ): this {
    if (revisions.some(({ requests }) => requests.has(name)) || name.startsWith("tasks/"))
      throw new TypeError(`"${name}" is a method of the protocol`);
    this.#custom.set(name, (call) => handler(call.params, call));
    return this;
  }

  /** Hears a notification of one's own. */
  notification(name: string, handler: (params: unknown, context: Context) => unknown): this {
    this.#notifications.set(name, handler);
    return this;
  }

  /** Adds middleware around every request, those of the lifecycle too; the first added is the outermost. */
  use(...middleware: Middleware<McpContext>[]): this {
    this.#middleware.push(...middleware);
    this.#around.clear();
    return this;
  }

  run(method: Method, call: Call): unknown {
    if (this.#middleware.length === 0) return method(call);
    let around = this.#around.get(method);
    if (!around) this.#around.set(method, (around = compose(this.#middleware, questionsAsResult(method))));
    return around(call);
  }

  notified(context: Context): unknown {
    return this.#notifications.get(context.method)?.(context.params, context);
  }

  /** Serves one connection. */
  connect(transport: Transport, options: PeerOptions = {}): ServerConnection {
    const session = new Session(this, transport, options);
    this.#sessions.add(session);
    void session.closed.then(() => this.#sessions.delete(session));
    return session;
  }

  /** What HTTP has to know of this server; @x/transport-http asks for it. */
  async http(): Promise<ServerHttp> {
    const { ServerHttp } = await import("../http/server.ts");
    return new ServerHttp({
      server: this,
      mirrored: (tool) => this.#features.tools?.registry.get(tool)?.mirrored,
      finish: (session) => void this.#subscriptions.tell((subscriptions) => subscriptions.close(session)),
    });
  }

  /** Ends every connection, subscriptions in order. */
  async close(): Promise<void> {
    let ended: ReturnType<Subscriptions["close"]> = [];
    await this.#subscriptions.tell((subscriptions) => (ended = subscriptions.close()));
    // The answers that end them take a few microtasks to the transport.
    await new Promise<void>((resolve) => setTimeout(resolve));
    for (const { session, id } of ended) void session.notify("notifications/cancelled", { requestId: id });
    await Promise.all([...this.#sessions].map((session) => session.close()));
  }

  #add<F extends Feature>(feature: F): F {
    for (const [name, method] of Object.entries(feature.methods)) this.#methods.set(name, method);
    return feature;
  }

  /** All changes of one turn are announced once. */
  #changed(list: ListName): void {
    if (!this.#options.listChanged) return;
    if (this.#due.size === 0) queueMicrotask(() => this.#announce());
    this.#due.add(list);
  }

  #announce(): void {
    for (const list of this.#due) {
      void this.#subscriptions.tell((subscriptions) => subscriptions.changed(list));
      for (const session of this.#sessions)
        if (session.initialized) void session.peer.notify(`notifications/${list}/list_changed`);
    }
    this.#due.clear();
  }
}

/** What middleware sees of a call that is answered with questions: that is no failure of it. */
function questionsAsResult(method: Method): (call: McpContext) => unknown {
  return (call) => {
    const outcome = method(call as Call);
    if (!isPromise(outcome)) return outcome;
    return outcome.then(undefined, (error: unknown) => {
      if (error instanceof InputRequired) return { resultType: "input_required" };
      throw error;
    });
  };
}

/** An extension's id has a prefix (basic/index, "Extensions"). */
function extensionsOf(extensions: McpServerOptions["extensions"]): ServerCapabilities {
  if (!extensions) return {};
  const bad = Object.keys(extensions).find((id) => !/^[A-Za-z][\w.-]*\/[\w.-]+$/.test(id));
  if (bad !== undefined)
    throw new TypeError(
      `the extension id ${JSON.stringify(bad)} has no prefix; call it something like "com.example/${bad}"`,
    );
  return { extensions };
}

function checked(state: SealOptions | undefined): SealOptions | undefined {
  if (state?.key !== undefined && state.key.length < 32) throw new TypeError("state.key must have at least 32 bytes");
  return state;
}
