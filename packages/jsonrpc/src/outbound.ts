import type { BatchBuilder, BatchResults, Group } from "./batch.ts";
import { Calls, type Waiting } from "./calls.ts";
import { type Sender, unheard } from "./context.ts";
import {
  AbortError,
  type AnyErrorType,
  ClosedError,
  INVALID_REQUEST,
  InvalidResponseError,
  PARSE_ERROR,
  type RpcError,
  errorFrom,
  inFlight,
} from "./errors.ts";
import { mended } from "./fault.ts";
import { type CallOptions, type Middleware, compose } from "./handler.ts";
import {
  type Batch,
  type Failure,
  type Id,
  type Message,
  type Params,
  type Request,
  type Success,
  notification,
} from "./message.ts";
import { Outgoing } from "./outgoing.ts";
import type { Profile } from "./profile.ts";
import { type Report, attempt } from "./report.ts";
import type { Rules } from "./rules.ts";
import type { SendOptions, Transport } from "./transport.ts";

export interface OutboundOptions {
  /** Classes for the codes of received errors, so that `catch` gets a RoomTaken. */
  readonly errors?: readonly AnyErrorType[] | undefined;
  /** Default `timeout` of outgoing calls in ms (60,000); 0 or Infinity for none. */
  readonly timeout?: number | undefined;
  /** Makes the ids of outgoing requests (default: 1, 2, 3, …). */
  readonly nextId?: (() => Id) | undefined;
  /** Methods whose equal, parameterless notifications of one turn are sent once. */
  readonly debouncedNotificationMethods?: Iterable<string> | undefined;
}

const DONE = Promise.resolve();

/** The half of a connection that calls: requests, notifications and batches out, their answers in. */
export class Outbound implements Sender {
  protected readonly transport: Transport;
  protected readonly profile: Profile;
  protected readonly report: Report;
  /** Ended: no answer can come any more. Closed: nothing can be sent either. */
  protected state: "open" | "ended" | "closed";
  readonly #errors: readonly AnyErrorType[] | undefined;
  readonly #calls: Calls;
  readonly #nextId: () => Id;
  readonly #debounced: readonly string[];
  /** Debounced notifications of this turn. */
  #due: Set<string> | undefined;
  readonly #middleware: Middleware<Outgoing>[] = [];
  #call: (call: Outgoing) => unknown = (call) => this.#send(call);
  /** Why it ended. */
  #reason: unknown;
  /** Made when somebody asks for its signal. */
  #ending: AbortController | undefined;

  constructor(transport: Transport, { profile, report }: Rules, options: OutboundOptions) {
    this.transport = transport;
    this.state = "open";
    this.profile = profile;
    this.report = report;
    this.#calls = new Calls(options.timeout, (waiting, error) => this.#gaveUp(waiting, error));
    this.#errors = options.errors;
    let lastId = 0;
    this.#nextId = options.nextId ?? (() => ++lastId);
    this.#debounced = [...(options.debouncedNotificationMethods ?? [])];
  }

  /** Calls in flight. */
  get size(): number {
    return this.#calls.size;
  }

  get ended(): AbortSignal {
    this.#ending ??= new AbortController();
    if (this.state !== "open") this.#ending.abort(this.#reason);
    return this.#ending.signal;
  }

  // Not async: that would put two promises and three turns of the microtask queue around the call's own promise.
  request(method: string, params?: unknown, options?: CallOptions & SendOptions, group?: Group): Promise<unknown> {
    try {
      return Promise.resolve(this.#call(new Outgoing(this, method, params, options, group)));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  notify(method: string, params?: unknown, options?: SendOptions): Promise<void> {
    if (this.state === "closed") return unheard(Promise.reject(this.#ended(method)));
    if (params !== undefined || options?.cause !== undefined || !this.#debounced.includes(method))
      return this.#hand(notification(method, params), options, true);
    this.#due ??= new Set();
    if (!this.#due.has(method)) {
      this.#due.add(method);
      queueMicrotask(() => {
        this.#due?.delete(method);
        if (this.state !== "closed") void this.#hand(notification(method));
      });
    }
    return DONE;
  }

  async batch<const T extends readonly unknown[]>(build: (batch: BatchBuilder) => T): Promise<BatchResults<T>> {
    const messages: Message[] = [];
    const group: Group = { messages, open: true };
    try {
      const results = build({
        // Whoever leaves a member alone hears of its failure from the others, or doesn't want to.
        request: (method: string, params?: unknown, options?: CallOptions) =>
          unheard(this.request(method, params, options, group)),
        notify: (method: string, params?: unknown) => void messages.push(notification(method, params)),
      });
      group.open = false;
      this.#sendAll(messages);
      return (await Promise.all(results)) as BatchResults<T>;
    } catch (error) {
      if (group.open) this.#rejectGroup(group, () => error);
      group.open = false;
      throw error;
    }
  }

  use(...middleware: Middleware<Outgoing>[]): this {
    this.#middleware.push(...middleware);
    this.#call = compose(this.#middleware, (call) => this.#send(call));
    return this;
  }

  /** Ends every call in flight and refuses new ones. */
  protected end(reason: unknown, state: "ended" | "closed"): void {
    this.#reason ??= reason;
    this.state = state;
    this.#ending?.abort(reason);
    this.#calls.close(({ method }) => this.#ended(method, true));
  }

  /** Settles the call that is answered, and gives the batch that was sent in. */
  settle(kind: "success" | "failure", { id, result, error }: Success & Failure): Group | undefined {
    const waiting = this.#calls.take(id);
    const reason = kind === "failure" && errorFrom(error, this.#errors);
    if (!waiting) {
      if (reason) {
        if ((id ?? null) === null) return this.#refused(reason);
        // The answer that the protocol wants for a call which was given up.
        if (reason.code === this.profile.cancel?.answer?.code) return undefined;
      }
      const message = `The answer with the id ${JSON.stringify(id)} came late or unasked`;
      this.report(new InvalidResponseError(message, id), "message");
    } else if (reason) waiting.reject(reason);
    else waiting.resolve(result);
    return waiting?.call.group;
  }

  /** Rejects the call that a broken message was meant to answer. */
  failInvalid(id: Id, message: string): Outgoing | undefined {
    const waiting = this.#calls.take(id);
    waiting?.reject(new InvalidResponseError(message, id));
    return waiting?.call;
  }

  /** A batch is answered by one array: members that were not in it will not be answered any more. */
  answered(group: Group): void {
    this.#rejectGroup(group, (id) => new InvalidResponseError("The batch's answer leaves this request out", id));
  }

  /** False when the notification is no progress of a call in flight. */
  progress(token: Id | undefined, params: unknown): boolean {
    const waiting = this.#calls.progress(token);
    if (!waiting) return false;
    attempt(
      () => waiting.options?.onProgress?.(params),
      (error) => this.report(error, "handler"),
    );
    return true;
  }

  #send(call: Outgoing): Promise<unknown> {
    const { method, options } = call;
    const signal = options?.signal;
    const { freshIds, progress } = this.profile;
    return new Promise((resolve, reject) => {
      if (this.state !== "open") throw this.#ended(method);
      if (signal?.aborted) throw new AbortError(`"${method}" was aborted before it was sent`, signal.reason);
      if (call.id === undefined || (call.tried && freshIds)) call.id = this.#nextId();
      call.tried = true;
      const { id } = call;
      if (this.#calls.get(id)) throw new Error(inFlight(id));
      const wanted = progress && (options?.onProgress || options?.resetTimeoutOnProgress);
      const params = (wanted ? progress.attach(call.params as Params | undefined, id) : call.params) as
        | Params
        | undefined;
      const request: Request =
        params === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params };
      if (!call.group?.open) call.group = undefined;
      this.#calls.add(id, call, resolve, reject);
      if (call.group) call.group.messages.push(request);
      else void this.#hand(request, options);
    });
  }

  #sendAll(messages: Batch): void {
    if (this.state === "closed" || !messages.length) return;
    for (const message of this.profile.batches ? [messages] : messages) void this.#hand(message);
  }

  #rejectGroup(group: Group, error: (id: Id) => unknown): void {
    for (const message of group.messages) {
      const { id } = message as Request;
      if (this.#calls.get(id)?.call.group === group) this.#calls.take(id)?.reject(error(id));
    }
  }

  /** Sends. A caller who is `told` of what goes wrong, at once or later, doesn't have to listen to the promise. */
  #hand(message: Message | Batch, options?: SendOptions, told = false): Promise<void> {
    try {
      const sent = this.transport.send(message, options);
      sent?.catch((error: unknown) => told || this.#lost(message, error));
      return sent ?? DONE;
    } catch (error) {
      if (!told) this.#lost(message, error);
      return unheard(Promise.reject(error));
    }
  }

  /** What could not be sent. One member that can't be serialised must not take the others of its batch with it. */
  #lost(message: Message | Batch, error: unknown): void {
    if (Array.isArray(message)) this.#sendAll(mended<Message>(message, (member) => this.#lost(member, error)));
    else if ("id" in message) this.#calls.take((message as Request).id)?.reject(error);
    else this.report(error, "transport");
  }

  #gaveUp({ id, call: { method, options } }: Waiting, error: Error): void {
    const { cancel } = this.profile;
    try {
      if (this.transport.cancel?.(id) || !cancel || cancel.except?.includes(method)) return;
      void this.notify(cancel.method, cancel.params(id, textOf(error.cause ?? error)), { cause: options?.cause });
    } catch (fault) {
      // Other calls may have been given up at the same moment.
      this.report(fault, "transport");
    }
  }

  /** The other side could not read what it got: a batch, if that is all it can have been. */
  #refused(error: RpcError): undefined {
    const groups = new Set<Group | undefined>();
    for (const { call } of this.#calls.values()) groups.add(call.group);
    if ([INVALID_REQUEST, PARSE_ERROR].includes(error.code)) groups.delete(undefined);
    const [group] = groups;
    if (group && groups.size === 1) this.#rejectGroup(group, () => error);
    else this.report(error, "message");
  }

  #ended(method: string, sent = false): ClosedError {
    const cause = this.#reason;
    const why = textOf(cause ?? "the connection has ended");
    return new ClosedError(`"${method}" was not ${sent ? "answered" : "sent"}: ${why}`, { cause, sent });
  }
}

function textOf(reason: unknown): string {
  try {
    return String((reason as Error | null)?.message ?? reason);
  } catch {
    return "?";
  }
}
