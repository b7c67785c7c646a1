import type { CallOptions, Context } from "./handler.ts";
import type { Id, Notification, Request, Response } from "./message.ts";
import type { Info, SendOptions } from "./transport.ts";

/** Sends on behalf of the incoming request `cause`. */
export interface Sender {
  request(method: string, params: unknown, options?: CallOptions & SendOptions): Promise<unknown>;
  notify(method: string, params: unknown, options?: SendOptions): Promise<void>;
}

/** Takes the one response to a message, or undefined where there is none. A promise means that the other side is slow. */
export type Answer = (response: Response | undefined) => void | Promise<void>;

interface Origin {
  readonly info: Info | undefined;
  readonly sender: Sender;
  readonly connection: object | undefined;
  readonly repeated?: boolean;
}

const EMPTY: Info = Object.freeze({});

/**
 * One incoming request or notification while it is handled. The abort controller and the state are made when somebody
 * asks for them: most calls are answered without.
 */
export class Incoming implements Context {
  readonly id: Id | undefined;
  readonly method: string;
  params: unknown;
  readonly info: Info;
  readonly connection: object | undefined;
  readonly answer: Answer;
  /** Another call with this id is in flight. */
  readonly repeated: boolean;
  /** The far side asked to cancel it. */
  cancelled = false;
  readonly #sender: Sender;
  #state: Record<PropertyKey, unknown> | undefined;
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  constructor(
    message: Request | Notification,
    answer: Answer,
    { info = EMPTY, sender, connection, repeated = false }: Origin,
  ) {
    // Own members only: an id on a polluted Object.prototype would turn a notification into a request.
    this.id = Object.hasOwn(message, "id") ? (message as Request).id : undefined;
    this.method = message.method;
    this.params = Object.hasOwn(message, "params") ? message.params : undefined;
    this.info = info;
    this.answer = answer;
    this.repeated = repeated;
    this.connection = connection;
    this.#sender = sender;
  }

  /** What it is found by while it is in flight: its id if it has one of its own. */
  get key(): unknown {
    return this.repeated ? this : (this.id ?? this);
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  get state(): Record<PropertyKey, unknown> {
    return (this.#state ??= {});
  }

  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = { reason };
    this.#controller?.abort(reason);
  }

  /** Whether a handler that threw this only obeyed its signal. */
  gaveUp(error: unknown): boolean {
    const { reason } = this.#aborted ?? { reason: this };
    return error === reason || (reason !== this && (error as Error | undefined)?.name === "AbortError");
  }

  request(method: string, params?: unknown, options?: CallOptions): Promise<unknown> {
    return this.#sender.request(method, params, { ...options, cause: this.id });
  }

  notify(method: string, params?: unknown): Promise<void> {
    return this.#sender.notify(method, params, { cause: this.id });
  }
}

/** A rejection that nobody has to listen to: awaiting it shows the error, leaving it alone doesn't end the process. */
export function unheard(error: unknown): Promise<never> {
  const rejected = Promise.reject(error);
  rejected.catch(() => {});
  return rejected;
}
