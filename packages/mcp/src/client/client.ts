/// <reference lib="esnext.disposable" preserve="true" />
import { type CallOptions, type Context, type Dispatcher, METHOD_NOT_FOUND, type Peer, RpcError } from "@x/jsonrpc";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Implementation } from "../model/implementation.ts";
import type { Meta } from "../model/meta.ts";
import type { Progress } from "../model/progress.ts";
import type { CallToolResult, ListToolsResult, Tool } from "../model/tools.ts";
import type { Revision } from "../revisions/index.ts";
import type { ToolTypes } from "../server/tool.ts";
import { type Answers, answer } from "./answers.ts";
import { CapabilityError } from "./errors.ts";
import type { Agreement, Link } from "./lifecycle.ts";
import { type Page, pages } from "./pages.ts";
import { type Ask, rounds } from "./rounds.ts";
import {
  ACKNOWLEDGED,
  type Change,
  type Interest,
  type Subscription,
  changedList,
  filterOf,
  subscriptionOf,
} from "./subscription.ts";

export interface RequestOptions extends Omit<CallOptions, "onProgress"> {
  /** Hears of the server's progress on this call. */
  readonly onProgress?: ((progress: Progress) => unknown) | undefined;
  /** Further `_meta` of the request. */
  readonly meta?: Meta | undefined;
}

/** What a client does when it is asked, and who takes what is no part of the protocol. */
export interface ClientAnswers extends Answers {
  readonly service?: Dispatcher | undefined;
}

/** How often one request may come back with questions. */
const MAX_ROUNDS = 10;

type ArgsOf<T extends ToolTypes, Name> =
  Extract<T, { readonly name: Name }> extends ToolTypes<string, infer Args> ? Args : never;
type ResultFor<T extends ToolTypes, Name> =
  Extract<T, { readonly name: Name }> extends ToolTypes<string, unknown, infer Result> ? Result : unknown;

/** What `callTool` gives: `structuredContent` has the tool's output type where that is known. */
export type ToolResult<Structured = unknown> = CallToolResult & { readonly structuredContent?: Structured };

/** A connection to one server, in whichever revision it speaks. */
export class Client<Tools extends ToolTypes = ToolTypes<string, Record<string, unknown> | undefined>>
  implements Dispatcher
{
  readonly #peer: Peer;
  readonly #link: Link;
  readonly #agreement: Agreement;
  readonly #answers: ClientAnswers;
  readonly #subscriptions = new Set<(change: Change | undefined, from: unknown) => void>();
  #listens = 0;

  constructor(peer: Peer, link: Link, agreement: Agreement, answers: ClientAnswers) {
    this.#peer = peer;
    this.#answers = answers;
    this.#link = link;
    this.#agreement = agreement;
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
  as<Known extends ToolTypes>(): Client<Known> {
    return this as unknown as Client<Known>;
  }

  /** Any request, with what the lifecycle adds to it. What the server asks for meanwhile is answered. */
  async request(method: string, params?: object, { meta, ...options }: RequestOptions = {}): Promise<unknown> {
    const { lifecycle, revision } = this.#agreement;
    const own = meta ? { ...params, _meta: meta } : params;
    const send = (more?: object): Promise<unknown> =>
      this.#peer.request(
        method,
        lifecycle.outgoing(more ? { ...own, ...more } : own, this.#link, revision),
        options as CallOptions,
      );
    if (revision.lifecycle === "handshake") return await send();
    const ask: Ask = (asked, about, context) => answer(this.#answers, asked, about, context);
    return await rounds(send, ask, { signal: options.signal ?? new AbortController().signal }, MAX_ROUNDS);
  }

  /** Any notification. */
  notify(method: string, params?: object): Promise<void> {
    return this.#peer.notify(method, params);
  }

  /** One page of the server's tools. */
  async listTools(cursor?: string, options?: RequestOptions): Promise<Page<Tool>> {
    this.#need("tools", "tools/list");
    const { tools, nextCursor } = (await this.request(
      "tools/list",
      cursor === undefined ? undefined : { cursor },
      options,
    )) as ListToolsResult;
    return { items: tools, nextCursor: nextCursor ?? undefined };
  }

  /** All tools, page after page. */
  tools(options?: RequestOptions): AsyncGenerator<Tool, void, undefined> {
    return pages((cursor) => this.listTools(cursor, options));
  }

  /** Calls a tool. What it says went wrong is a result with `isError`; a call that can't be made rejects. */
  async callTool<Name extends Tools["name"]>(
    name: Name,
    args?: ArgsOf<Tools, Name>,
    options?: RequestOptions,
  ): Promise<ToolResult<ResultFor<Tools, Name>>> {
    this.#need("tools", "tools/call");
    return (await this.request(
      "tools/call",
      args === undefined ? { name } : { name, arguments: args },
      options,
    )) as ToolResult<ResultFor<Tools, Name>>;
  }

  /** Hears of changes until it is closed. The same for servers that announce unasked and those that must be asked. */
  subscribe(interest: Interest, onChange: (change: Change) => unknown): Subscription {
    return this.revision.lifecycle === "stateless" ? this.#listen(interest, onChange) : this.#hear(interest, onChange);
  }

  close(): Promise<void> {
    return this.#peer.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  dispatch(context: Context): unknown {
    if (context.id !== undefined) return this.#answer(context);
    const list = changedList(context.method);
    if (!list && context.method !== ACKNOWLEDGED) return this.#answers.service?.dispatch(context);
    for (const hear of this.#subscriptions) hear(list && { list }, subscriptionOf(context.params));
    return undefined;
  }

  #answer(context: Context): unknown {
    const { method, params, signal } = context;
    if (method === "ping" && this.revision.asks.has(method)) return {};
    if (!this.revision.asks.has(method)) return this.#foreign(context);
    return answer(this.#answers, method, params, { signal });
  }

  /** What is no part of the protocol. */
  #foreign(context: Context): unknown {
    if (this.#answers.service) return this.#answers.service.dispatch(context);
    throw new RpcError(METHOD_NOT_FOUND, `Method not found: "${context.method}"`);
  }

  #need(capability: keyof ServerCapabilities, method: string): void {
    if (!this.capabilities[capability]) throw new CapabilityError(method, capability);
  }

  /** Changes are announced unasked. */
  #hear(interest: Interest, onChange: (change: Change) => unknown): Subscription {
    const hear = (change: Change | undefined): void => void (change && interest[change.list] && onChange(change));
    this.#subscriptions.add(hear);
    const close = async (): Promise<void> => void this.#subscriptions.delete(hear);
    return { ready: Promise.resolve(), close, [Symbol.asyncDispose]: close };
  }

  /** Changes come on a request that stays open. */
  #listen(interest: Interest, onChange: (change: Change) => unknown): Subscription {
    const id = `listen-${++this.#listens}`;
    const end = new AbortController();
    let agreed!: () => void;
    const acknowledged = new Promise<void>((resolve) => (agreed = resolve));
    const hear = (change: Change | undefined, from: unknown): void => {
      if (from !== id) return;
      if (change) onChange(change);
      else agreed();
    };
    this.#subscriptions.add(hear);
    // Only the agreement is subject to a timeout: the request itself is answered when the subscription ends.
    const open = this.request(
      "subscriptions/listen",
      { notifications: filterOf(interest) },
      { id, timeout: 0, signal: end.signal },
    );
    const over = open.then(
      () => this.#subscriptions.delete(hear),
      () => this.#subscriptions.delete(hear),
    );
    const ready = Promise.race([acknowledged, open.then(() => {})]);
    ready.catch(() => {});
    const close = async (): Promise<void> => {
      end.abort(new Error("unsubscribed"));
      await over;
    };
    return { ready, close, [Symbol.asyncDispose]: close };
  }
}
