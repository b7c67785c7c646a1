/// <reference lib="esnext.disposable" preserve="true" />
import {
  type Context,
  type Dispatcher,
  METHOD_NOT_FOUND,
  type Middleware,
  type Outgoing,
  type Peer,
  type Report,
  RpcError,
} from "@x/jsonrpc";
import { Late } from "../late.ts";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Completion } from "../model/completion.ts";
import type { Implementation } from "../model/implementation.ts";
import type { LogLevel, LogMessage } from "../model/logging.ts";
import type { GetPromptResult, Prompt } from "../model/prompts.ts";
import type { ReadResourceResult, Resource, ResourceTemplate } from "../model/resources.ts";
import type { Tool } from "../model/tools.ts";
import type { Revision } from "../revisions/index.ts";
import type { ToolTypes } from "../server/tool.ts";
import type { Answers } from "./answers.ts";
import { Catalog } from "./catalog.ts";
import type { CompleteOptions, Reference } from "./completion.ts";
import { CapabilityError } from "./errors.ts";
import { Exchange } from "./exchange.ts";
import type { Agreement, Link } from "./lifecycle.ts";
import type { Page } from "./pages.ts";
import { getPrompt } from "./prompts.ts";
import { Reads } from "./reads.ts";
import type { ReadOptions, RequestOptions } from "./requester.ts";
import { readResource } from "./resources.ts";
import { TaskCalls } from "./tasks/calls.ts";
import type { ToolCallOptions } from "./tasks/options.ts";
import type { ClientTask } from "./tasks/task.ts";
import {
  type Change,
  type Hearing,
  type Interest,
  LISTS,
  type Subscription,
  changeIn,
  eventual,
} from "./subscription.ts";
import { type ArgsOf, type ResultFor, type ToolResult, Tools } from "./tools.ts";
import type { UrlCompletions } from "./url-completions.ts";

/** What a client does when it is asked or told something. */
export interface ClientOptions extends Answers {
  /** Hears what servers log: see `setLogLevel`. */
  readonly onLog?: ((message: LogMessage) => unknown) | undefined;
  /** Default `timeout` of calls in ms, of connecting too (60,000). */
  readonly timeout?: number | undefined;
  /** Takes requests and notifications of the server that are no part of the protocol. */
  readonly service?: Dispatcher | undefined;
  /** Hears what nobody else does (see PeerOptions). */
  readonly onError?: Report | undefined;
}

/** A connection to one server, in whichever revision it speaks. */
export class Client<Known extends ToolTypes = ToolTypes<string, Record<string, unknown> | undefined>>
  implements Dispatcher
{
  readonly #peer: Peer;
  readonly #link: Link;
  readonly #agreement: Agreement;
  readonly #options: ClientOptions;
  readonly #exchange: Exchange;
  readonly #reads: Reads;
  readonly #catalog: Catalog;
  readonly #calls: TaskCalls;
  readonly #tools: Tools;
  readonly #hearing: Late<Hearing>;
  readonly #completions: Late<UrlCompletions>;

  constructor(peer: Peer, link: Link, agreement: Agreement, options: ClientOptions) {
    this.#peer = peer;
    this.#link = link;
    this.#agreement = agreement;
    this.#options = options;
    this.#exchange = new Exchange(peer, link, agreement, options);
    this.#reads = new Reads(this.#exchange);
    this.#catalog = new Catalog((fresh) => this.tools({ fresh }));
    this.#calls = new TaskCalls(
      this.#exchange,
      this.#catalog,
      (error) => options.onError?.(error, "handler"),
      options.timeout,
    );
    this.#tools = new Tools(this.#exchange, this.#calls, this.#catalog, options.validator);
    this.#completions = new Late(async () => {
      const { UrlCompletions } = await import("./url-completions.ts");
      return new UrlCompletions(peer.closed);
    });
    this.#hearing = new Late(() => this.#hear());
    link.onReopened = () => this.#reopened();
  }

  get revision(): Revision {
    return this.#agreement.revision;
  }

  get server(): Implementation | undefined {
    return this.#agreement.server;
  }

  get capabilities(): ServerCapabilities {
    return this.#agreement.capabilities;
  }

  get instructions(): string | undefined {
    return this.#agreement.instructions;
  }

  /** Resolves, never rejects, when the connection has ended, with the reason if there is one. */
  get closed(): Promise<unknown> {
    return this.#peer.closed;
  }

  /** The same client, knowing the server's tools: `client.as<typeof book | typeof query>()`. */
  as<Tools extends ToolTypes>(): Client<Tools> {
    return this as unknown as Client<Tools>;
  }

  /** Any request, with what the lifecycle adds to it. What the server asks for meanwhile is answered. */
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown> {
    return this.#exchange.request(method, params, options);
  }

  /** Any notification. */
  notify(method: string, params?: object): Promise<void> {
    return this.#peer.notify(method, params);
  }

  /** Adds middleware around every request that this client sends; the first added is the outermost. */
  use(...middleware: Middleware<Outgoing>[]): this {
    this.#peer.use(...middleware);
    return this;
  }

  /** One page of the server's tools. */
  async listTools(cursor?: string, options?: ReadOptions): Promise<Page<Tool>> {
    const page = await this.#reads.page<Tool>("tools/list", cursor, options);
    this.#catalog.learn(page.items);
    return page;
  }

  /** All tools, page after page. */
  tools(options?: ReadOptions): AsyncGenerator<Tool, void, undefined> {
    return this.#reads.pages("tools/list", (cursor) => this.listTools(cursor, options));
  }

  /**
   * Calls a tool. What it says went wrong is a result with `isError`; a call that can't be made rejects, and one whose
   * structured content breaks the tool's output schema (OutputError). A call that the server carries on as a task is
   * followed to its end.
   */
  callTool<Name extends Known["name"]>(
    name: Name,
    args?: ArgsOf<Known, Name>,
    options?: ToolCallOptions,
  ): Promise<ToolResult<ResultFor<Known, Name>>> {
    return this.#tools.call(name, args, options) as Promise<ToolResult<ResultFor<Known, Name>>>;
  }

  /**
   * A call that has become a task, met again by its id: see `onTask` of callTool. Throws a CapabilityError where the
   * server has no tasks.
   */
  task(id: string): ClientTask {
    return this.#calls.task(id);
  }

  /** One page of the server's resources. */
  listResources(cursor?: string, options?: ReadOptions): Promise<Page<Resource>> {
    return this.#reads.page("resources/list", cursor, options);
  }

  /** All resources, page after page. */
  resources(options?: ReadOptions): AsyncGenerator<Resource, void, undefined> {
    return this.#reads.pages("resources/list", (cursor) => this.listResources(cursor, options));
  }

  /** One page of the server's resource templates. */
  listResourceTemplates(cursor?: string, options?: ReadOptions): Promise<Page<ResourceTemplate>> {
    return this.#reads.page("resources/templates/list", cursor, options);
  }

  /** All resource templates, page after page; `expandTemplate` makes URIs of them. */
  resourceTemplates(options?: ReadOptions): AsyncGenerator<ResourceTemplate, void, undefined> {
    return this.#reads.pages("resources/templates/list", (cursor) => this.listResourceTemplates(cursor, options));
  }

  /** Reads a resource. Rejects with a ResourceNotFoundError where there is none. */
  readResource(uri: string, options?: ReadOptions): Promise<ReadResourceResult> {
    return readResource(this.#exchange, this.#reads, uri, options);
  }

  /** One page of the server's prompts. */
  listPrompts(cursor?: string, options?: ReadOptions): Promise<Page<Prompt>> {
    return this.#reads.page("prompts/list", cursor, options);
  }

  /** All prompts, page after page. */
  prompts(options?: ReadOptions): AsyncGenerator<Prompt, void, undefined> {
    return this.#reads.pages("prompts/list", (cursor) => this.listPrompts(cursor, options));
  }

  /** Gets the messages of a prompt. */
  getPrompt(
    name: string,
    args?: { readonly [name: string]: string },
    options?: RequestOptions,
  ): Promise<GetPromptResult> {
    return getPrompt(this.#exchange, name, args, options);
  }

  /** Asks what a person who has typed `argument.value` may mean. */
  async complete(
    reference: Reference,
    argument: { readonly name: string; readonly value: string },
    options?: CompleteOptions,
  ): Promise<Completion> {
    const { complete } = await import("./completion.ts");
    return await complete(this.#exchange, reference, argument, options);
  }

  /** Resolves when the server has given a sign of life. A TimeoutError means that the connection is most likely dead. */
  ping(options?: Pick<RequestOptions, "timeout" | "signal">): Promise<void> {
    const { lifecycle, revision } = this.#agreement;
    return lifecycle.ping(this.#link, revision, options ?? {});
  }

  /** Call it when the `roots` of this client are others than before: a server may have asked for them already. */
  async rootsChanged(): Promise<void> {
    if (this.#options.roots) await this.#agreement.lifecycle.rootsChanged(this.#link);
  }

  /**
   * Resolves when a server of 2025-11-25 says that what it had a person open is done there: the `elicitationId` of
   * `elicitUrl` or of a UrlElicitationRequiredError. Rejects with the signal's reason, or when the connection ends.
   */
  async urlCompleted(elicitationId: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<void> {
    await (await this.#completions.open()).wait(elicitationId, options?.signal);
  }

  /** From now on `onLog` hears what the server logs at this level and above. */
  setLogLevel(level: LogLevel): Promise<void> {
    return this.#agreement.lifecycle.setLogLevel(level, this.#link, this.#agreement);
  }

  /** Hears of changes until it is closed. The same for servers that announce unasked and those that must be asked. */
  subscribe(interest: Interest, onChange: (change: Change) => unknown): Subscription {
    if (interest.uris?.length && !this.capabilities.resources?.subscribe)
      return eventual(Promise.reject(new CapabilityError("subscribe", "resources.subscribe")));
    if (this.#hearing.now) return this.#hearing.now.subscribe(interest, onChange);
    return eventual(this.#hearing.open().then((hearing) => hearing.subscribe(interest, onChange)));
  }

  close(): Promise<void> {
    return this.#peer.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  dispatch(context: Context): unknown {
    return context.id === undefined ? this.#told(context) : this.#asked(context);
  }

  #asked(context: Context): unknown {
    const { method, params, signal } = context;
    const { asks, lifecycle } = this.revision;
    // Without a handshake servers ask by their answers alone (basic/patterns/mrtr).
    if (lifecycle === "handshake" && asks.has(method))
      return method === "ping" ? {} : this.#answer(method, params, signal);
    if (this.#options.service) return this.#options.service.dispatch(context);
    throw new RpcError(METHOD_NOT_FOUND, `Method not found: "${method}"`);
  }

  async #answer(method: string, params: unknown, signal: AbortSignal): Promise<object> {
    const { related } = await import("./tasks/related.ts");
    return await related(params, this.#exchange.answer(method, params, { signal }));
  }

  #told(context: Context): unknown {
    const { method, params } = context;
    if (method === "notifications/progress" && this.#calls.progress(params)) return undefined;
    if (method === "notifications/elicitation/complete")
      return this.#completions.tell((completions) => completions.completed(params));
    if (method === "notifications/message") return this.#logged(params as Partial<LogMessage> | undefined);
    const change = changeIn(method, params);
    if (change) this.#changed(change);
    void this.#hearing.tell((hearing) => hearing.notified(method, params, change));
    return change ? undefined : this.#options.service?.dispatch(context);
  }

  /** What the server was told in a session that it has lost it has to be told again. */
  #reopened(): void {
    const { logLevel } = this.#link;
    const failed = (error: unknown): void => this.#options.onError?.(error, "transport");
    for (const list of LISTS) this.#changed({ list });
    this.#changed({ resource: "" });
    if (logLevel) this.setLogLevel(logLevel).catch(failed);
    void this.#hearing.tell((hearing) => void hearing.reopened?.().catch(failed));
  }

  #logged({ level, logger, data }: Partial<LogMessage> = {}): unknown {
    if (level === undefined) return undefined;
    return this.#options.onLog?.({ level, ...(logger === undefined ? undefined : { logger }), data });
  }

  async #hear(): Promise<Hearing> {
    if (this.revision.lifecycle === "stateless") {
      const { StatelessHearing } = await import("./hearing-stateless.ts");
      return new StatelessHearing(this.#exchange, this.#options);
    }
    const { HandshakeHearing } = await import("./hearing-handshake.ts");
    return new HandshakeHearing(this.#exchange, this.#peer.closed, this.#options.onError);
  }

  #changed(change: Change): void {
    this.#reads.changed(change);
    if ("list" in change && change.list === "tools") this.#catalog.forget();
  }
}
