import { type Context, type Middleware, type Transport, compose } from "@x/jsonrpc";
import { isPromise } from "../after.ts";
import type { ServerHttp } from "../http/server.ts";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Implementation } from "../model/implementation.ts";
import { type Meta, SERVER_INFO } from "../model/meta.ts";
import { type Revision, revisionsOf, withoutHandshake } from "../revisions/index.ts";
import { type Hints, hintsOf } from "./caching.ts";
import type { Completion } from "./completion/complete.ts";
import { completionFeature } from "./completion-feature.ts";
import type { Call, Method, ServerCore } from "./contract.ts";
import type { McpContext } from "./context.ts";
import type { Feature, FeatureOptions, ListName } from "./feature.ts";
import type { Features } from "./features.ts";
import type { LateFeature } from "./late-feature.ts";
import type { McpServerOptions } from "./options.ts";
import type { AnyPromptOptions, PromptHandler, PromptOptions, PromptRegistration } from "./prompt.ts";
import { PromptsFeature } from "./prompts-feature.ts";
import type { ResourceOptions, ResourceReader, ResourceRegistration } from "./resource.ts";
import { ResourcesFeature } from "./resources-feature.ts";
import { Session, type SessionOptions } from "./session.ts";
import type { Subscriptions } from "./subscriptions/index.ts";
import { subscriptionsFeature } from "./subscriptions-feature.ts";
import type { AnyToolOptions, ToolHandler, ToolOptions, ToolRegistration } from "./tool.ts";
import { tasksFeature } from "./tasks-feature.ts";
import { Tools } from "./tools.ts";

/** What a connection of a server is to its user. */
export interface ServerConnection {
  /** Resolves, never rejects, when the connection has ended. */
  readonly closed: Promise<unknown>;
  close(reason?: unknown): Promise<void>;
}

/** An MCP server. One object serves any number of connections at once, in every revision. */
export class McpServer implements ServerCore {
  readonly info: Implementation;
  readonly options: McpServerOptions;
  readonly stateless: readonly Revision[];
  readonly resultMeta: Meta;
  readonly hints: Hints;
  readonly methods: Map<string, Method> = new Map();
  readonly custom: Map<string, Method> = new Map();
  readonly #notifications = new Map<string, (params: unknown, context: Context) => unknown>();
  readonly #middleware: Middleware<McpContext>[] = [];
  /** Each method with its middleware. */
  readonly #around = new Map<Method, (call: McpContext) => unknown>();
  readonly #forFeatures: FeatureOptions;
  readonly #sessions = new Set<Session>();
  readonly #due = new Set<ListName>();
  /** What it has besides its features. */
  readonly #own: ServerCapabilities;
  readonly #features: { -readonly [name in keyof Features]: Features[name] } & {
    tools?: Tools;
    completion?: LateFeature<Completion>;
  } = {};
  readonly #subscriptions: LateFeature<Subscriptions>;

  constructor(info: Implementation, options: McpServerOptions = {}) {
    this.info = info;
    this.options = options;
    this.stateless = revisionsOf("stateless", options.revisions ?? withoutHandshake);
    this.resultMeta = { [SERVER_INFO]: info };
    this.hints = hintsOf(options.cache);
    this.#forFeatures = {
      ...options,
      listChanged: options.listChanged ?? true,
      changed: (list) => this.#changed(list),
      completes: () => (this.#features.completion ??= this.#add(completionFeature(this.#features))),
    };
    if (Number(options.state?.key?.length) < 32) throw new TypeError("state.key must have at least 32 bytes");
    this.#own = { logging: {}, ...extensionsOf(options.extensions) };
    this.#subscriptions = this.#add(subscriptionsFeature(this.#features));
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
  ): ToolRegistration<Name, In, Out> {
    if (options.task) this.#features.tasks ??= this.#add(tasksFeature(this.#forFeatures));
    this.#features.tools ??= this.#add(new Tools(this.#forFeatures, this.#features));
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
    this.#features.resources ??= this.#add(new ResourcesFeature(this.#forFeatures));
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
    this.#features.prompts ??= this.#add(new PromptsFeature(this.#forFeatures));
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
    if (withoutHandshake.some(({ requests }) => requests.has(name)) || OLDER.test(name))
      throw new TypeError(`"${name}" is a method of the protocol`);
    this.custom.set(name, (call) => handler(call.params, call));
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
  connect(transport: Transport, options: SessionOptions = {}): ServerConnection {
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
    await this.#subscriptions.tell((subscriptions) => subscriptions.end());
    // Answers that are given in this turn take a few microtasks to the transport.
    await new Promise<void>((resolve) => setTimeout(resolve));
    await Promise.all([...this.#sessions].map((session) => session.close()));
  }

  #add<F extends Feature>(feature: F): F {
    for (const [name, method] of Object.entries(feature.methods)) this.methods.set(name, method);
    return feature;
  }

  /** All changes of one turn are announced once. */
  #changed(list: ListName): void {
    if (!this.#forFeatures.listChanged) return;
    if (this.#due.size === 0) queueMicrotask(() => this.#announce());
    this.#due.add(list);
  }

  #announce(): void {
    for (const list of this.#due) {
      void this.#subscriptions.tell((subscriptions) => subscriptions.changed(list));
      for (const session of this.#sessions)
        if (session.initialized) void session.notify(`notifications/${list}/list_changed`);
    }
    this.#due.clear();
  }
}

/** Methods that only revisions with a handshake have, and whatever looks like one of tasks. */
const OLDER = /^(?:initialize|ping|logging\/setLevel|resources\/(?:un)?subscribe|tasks\/.*)$/;

/** What middleware sees of a call that is answered with questions: that is no failure of it. */
function questionsAsResult(method: Method): (call: McpContext) => unknown {
  return (call) => {
    const outcome = method(call as Call);
    if (!isPromise(outcome)) return outcome;
    return outcome.then(undefined, (error: unknown) => {
      if ((call as Call).asking?.isStop?.(error)) return { resultType: "input_required" };
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
