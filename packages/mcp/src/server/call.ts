import type { CallOptions, Context, Id, Info } from "@x/jsonrpc";
import type { Meta } from "../model/meta.ts";
import { metaOf } from "../model/meta.ts";
import type { ClientFacts, Lifecycle } from "./lifecycle.ts";
import type { Session } from "./session.ts";

/** What a handler gets besides its arguments. The same in every revision. */
export interface McpContext {
  readonly id: Id | undefined;
  readonly method: string;
  /** The request's `_meta`, untouched. */
  readonly meta: Meta | undefined;
  /** Aborted, with the reason, when the client cancels or the connection ends. */
  readonly signal: AbortSignal;
  /** Who asks, in which revision, with what capabilities. */
  readonly client: ClientFacts;
  /** What the transport knows: headers, the principal. */
  readonly info: Info;
  /** Reports how far the work has come, if the client asked to hear it. Only rising values are sent. */
  progress(progress: number, total?: number, message?: string): void;
  /** Sends a notification that belongs to this request. */
  notify(method: string, params?: unknown): Promise<void>;
  /** Asks the client, on behalf of this request. Only clients of a handshake revision can be asked. */
  request(method: string, params?: unknown, options?: CallOptions): Promise<unknown>;
}

/** One request while it is served. */
export class ServerCall implements McpContext {
  readonly session: Session;
  readonly client: ClientFacts;
  readonly lifecycle: Lifecycle;
  /** Set where the result already has the form in which it is sent, such as a page that many clients get. */
  finished: object | undefined;
  readonly #context: Context;
  #progress = -Infinity;
  #over = false;

  constructor(session: Session, client: ClientFacts, lifecycle: Lifecycle, context: Context) {
    this.session = session;
    this.lifecycle = lifecycle;
    this.client = client;
    this.#context = context;
  }

  get id(): Id | undefined {
    return this.#context.id;
  }

  get method(): string {
    return this.#context.method;
  }

  /** MCP's parameters are always an object. */
  get params(): { readonly [name: string]: unknown } {
    return (this.#context.params ?? EMPTY) as { readonly [name: string]: unknown };
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

  progress(progress: number, total?: number, message?: string): void {
    const token = this.meta?.["progressToken"];
    if ((typeof token !== "string" && typeof token !== "number") || this.#over || !(progress > this.#progress)) return;
    this.#progress = progress;
    void this.notify("notifications/progress", {
      progressToken: token,
      progress,
      ...(total === undefined ? undefined : { total }),
      ...(message === undefined ? undefined : { message }),
    });
  }

  notify(method: string, params?: unknown): Promise<void> {
    return this.#context.notify(method, params);
  }

  request(method: string, params?: unknown, options?: CallOptions): Promise<unknown> {
    return this.#context.request(method, params, options);
  }

  /** The answer is on its way: nothing may follow it. */
  end(): void {
    this.#over = true;
  }
}

const EMPTY = Object.freeze({});
