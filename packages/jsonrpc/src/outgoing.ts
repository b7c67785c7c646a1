import type { Group } from "./batch.ts";
import type { Call, CallOptions } from "./handler.ts";
import type { Id } from "./message.ts";
import type { SendOptions } from "./transport.ts";

/** An outgoing request as middleware sees it. Calling `next` again sends it again. */
export class Outgoing implements Call {
  readonly method: string;
  params: unknown;
  id: Id | undefined;
  /** It was sent before: this is a repetition. */
  tried = false;
  /** Middleware may replace them before calling `next`. */
  options: (CallOptions & SendOptions) | undefined;
  /** The same object for every call of one connection; `ended` is aborted when nothing can be sent on it any more. */
  readonly connection: { readonly ended: AbortSignal };
  /** The batch it travels in; a repetition travels alone. */
  group: Group | undefined;
  #signal: AbortSignal | undefined;
  #state: Record<PropertyKey, unknown> | undefined;

  constructor(
    connection: Outgoing["connection"],
    method: string,
    params: unknown,
    options?: CallOptions & SendOptions,
    group?: Group,
  ) {
    this.connection = connection;
    this.method = method;
    this.params = params;
    this.id = options?.id;
    this.options = options;
    this.group = group;
  }

  /** The caller's own. */
  get signal(): AbortSignal {
    return (this.#signal ??= this.options?.signal ?? new AbortController().signal);
  }

  get state(): Record<PropertyKey, unknown> {
    return (this.#state ??= {});
  }
}
