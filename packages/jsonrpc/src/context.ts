import type { CallOptions, Caller, Context } from "./handler.ts";
import type { Id, Notification, Request, Response } from "./message.ts";
import type { CancelProfile } from "./profile.ts";
import type { Info, SendOptions } from "./transport.ts";

/** Sends on behalf of the incoming request `cause`. */
export interface Sender {
  request(method: string, params: unknown, options?: CallOptions & SendOptions): Promise<unknown>;
  notify(method: string, params: unknown, options?: SendOptions): Promise<void>;
}

/** Takes the one response to a message, or undefined where there is none. A promise means that the other side is slow. */
export type Answer = (response: Response | undefined) => void | Promise<void>;

/** The receiving end that a message came to. */
interface Origin {
  readonly sender: Sender;
  readonly connection: object | undefined;
}

const NO_INFO: Info = Object.freeze({});

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
  /** Somebody waits for the answer. */
  wanted: boolean;
  /** Another call with this id is in flight. */
  repeated = false;
  /** Set when the far side has asked to cancel it. */
  cancelled: CancelProfile | undefined;
  readonly #sender: Sender;
  #state: Record<PropertyKey, unknown> | undefined;
  #controller: AbortController | undefined;

  constructor(
    id: Id | undefined,
    message: Request | Notification,
    answer: Answer,
    { sender, connection }: Origin,
    info: Info = NO_INFO,
  ) {
    this.id = id;
    this.method = message.method;
    this.params = message.params;
    this.info = info;
    this.connection = connection;
    this.answer = answer;
    this.wanted = id !== undefined;
    this.#sender = sender;
  }

  /** What it is found by while it is in flight: its id if it has one of its own. */
  get key(): unknown {
    return this.repeated ? this : (this.id ?? this);
  }

  get signal(): AbortSignal {
    return (this.#controller ??= new AbortController()).signal;
  }

  get state(): Record<PropertyKey, unknown> {
    return (this.#state ??= {});
  }

  abort(reason: unknown): void {
    (this.#controller ??= new AbortController()).abort(reason);
  }

  /** Whether a handler that threw this only obeyed its signal. */
  gaveUp(error: unknown): boolean {
    const signal = this.#controller?.signal;
    if (!signal?.aborted) return false;
    return (
      error === signal.reason || ["AbortError", "ClosedError"].includes((error as Error | undefined)?.name as string)
    );
  }

  // Handlers take them out: `(params, { notify }) => …`. As arrow functions of the class they would be made for each call.
  get request(): Caller["request"] {
    return (method: string, params?: unknown, options?: CallOptions) =>
      this.#sender.request(method, params, { ...options, cause: this.id });
  }

  get notify(): Caller["notify"] {
    return (method: string, params?: unknown) => this.#sender.notify(method, params, { cause: this.id });
  }
}

/** A promise that nobody has to listen to: awaiting it shows its error, leaving it alone doesn't end the process. */
export function unheard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
