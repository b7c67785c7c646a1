import { ClosedError } from "./errors.ts";
import type { CallOptions, Context } from "./handler.ts";
import type { Id, Notification, Request, Response } from "./message.ts";
import type { Info, SendOptions } from "./transport.ts";

/** Sends on behalf of the incoming request `cause`. */
export interface Sender {
  request(method: string, params: unknown, options?: CallOptions & SendOptions): Promise<unknown>;
  notify(method: string, params: unknown, options?: SendOptions): Promise<void>;
}

/** Takes the response of one member of a batch; undefined when there is none. */
export interface Collector {
  settle(response: Response | undefined): void;
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
  readonly collector: Collector | undefined;
  /** The far side asked to cancel it. */
  cancelled = false;
  /** Another call with this id is in flight. */
  repeated = false;
  readonly #sender: Sender | undefined;
  #state: Record<PropertyKey, unknown> | undefined;
  #controller: AbortController | undefined;
  #aborted: { reason: unknown } | undefined;

  constructor(message: Request | Notification, sender?: Sender, info: Info = EMPTY, collector?: Collector) {
    // Own members only: an id on a polluted Object.prototype would turn a notification into a request.
    this.id = Object.hasOwn(message, "id") ? (message as Request).id : undefined;
    this.method = message.method;
    this.params = Object.hasOwn(message, "params") ? message.params : undefined;
    this.info = info;
    this.collector = collector;
    this.#sender = sender;
  }

  get connection(): object | undefined {
    return this.#sender;
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

  request(method: string, params?: unknown, options?: CallOptions): Promise<unknown> {
    if (!this.#sender) return Promise.reject(noConnection(method));
    return this.#sender.request(method, params, { ...options, cause: this.id });
  }

  notify(method: string, params?: unknown): Promise<void> {
    if (!this.#sender) return unheard(noConnection(method));
    return this.#sender.notify(method, params, this.id === undefined ? undefined : { cause: this.id });
  }
}

const noConnection = (method: string): ClosedError =>
  new ClosedError(`"${method}" was not sent: this carrier only takes the answer back`, { sent: false });

/** A rejection that nobody has to listen to: awaiting it shows the error, leaving it alone doesn't end the process. */
export function unheard(error: unknown): Promise<never> {
  const rejected = Promise.reject(error);
  rejected.catch(() => {});
  return rejected;
}
