import { type BatchBuilder, type BatchResults, Group } from "./batch.ts";
import { Calls } from "./calls.ts";
import { type Sender, unheard } from "./context.ts";
import { AbortError, type AnyErrorType, ClosedError, InvalidResponseError, errorReader } from "./errors.ts";
import { isSerialisable } from "./fault.ts";
import { type CallOptions, type Middleware, compose, isPromise } from "./handler.ts";
import type { Failure, Id, Message, Notification, Params, Request } from "./message.ts";
import { Outgoing } from "./outgoing.ts";
import type { Profile } from "./profile.ts";
import type { Report } from "./report.ts";
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
  readonly #transport: Transport;
  readonly #profile: Profile;
  readonly #report: Report;
  readonly #calls: Calls;
  readonly #toError: ReturnType<typeof errorReader>;
  readonly #nextId: () => Id;
  readonly #debounced: ReadonlySet<string>;
  readonly #due = new Set<string>();
  readonly #groups = new Set<Group>();
  readonly #middleware: Middleware<Outgoing>[] = [];
  #call: (call: Outgoing) => unknown = (call) => this.#send(call);
  #lastId = 0;
  /** Why nothing can be sent any more. */
  #ended: { reason: unknown } | undefined;
  /** Made when somebody asks for its signal. */
  #ending: AbortController | undefined;

  constructor(transport: Transport, profile: Profile, options: OutboundOptions, report: Report) {
    this.#transport = transport;
    this.#profile = profile;
    this.#report = report;
    this.#calls = new Calls(options.timeout, (id, method, error) => this.#gaveUp(id, method, error));
    this.#toError = errorReader(options.errors);
    this.#nextId = options.nextId ?? (() => ++this.#lastId);
    this.#debounced = new Set(options.debouncedNotificationMethods);
  }

  get ended(): AbortSignal {
    this.#ending ??= new AbortController();
    if (this.#ended) this.#ending.abort(this.#ended.reason);
    return this.#ending.signal;
  }

  async request(method: string, params?: unknown, options?: CallOptions & SendOptions): Promise<unknown> {
    return await this.#call(new Outgoing(this, method, params, options));
  }

  notify(method: string, params?: unknown, options?: SendOptions): Promise<void> {
    if (this.#ended) return unheard(this.#closedError(`"${method}" was not sent`, false));
    if (params === undefined && options?.cause === undefined && this.#debounced.has(method))
      return this.#debounce(method);
    try {
      const sent = this.#transport.send(notification(method, params), options);
      sent?.catch(() => {});
      return sent ?? DONE;
    } catch (error) {
      return unheard(error);
    }
  }

  batch<const T extends readonly unknown[]>(build: (batch: BatchBuilder) => T): Promise<BatchResults<T>> {
    const group = new Group();
    const results = build({
      request: async (method: string, ...[params, options]: [params?: unknown, options?: CallOptions]) =>
        await this.#call(new Outgoing(this, method, params, options, group)),
      notify: (method: string, ...[params]: [params?: unknown]) =>
        void group.messages.push(notification(method, params)),
    });
    group.open = false;
    if (group.messages.length > 0) this.#sendBatch(group);
    return Promise.all(results) as Promise<BatchResults<T>>;
  }

  use(...middleware: Middleware<Outgoing>[]): void {
    this.#middleware.push(...middleware);
    this.#call = compose(this.#middleware, (call) => this.#send(call));
  }

  /** Ends every call in flight and refuses new ones. */
  end(reason: unknown): void {
    this.#ended ??= { reason };
    this.#due.clear();
    this.#groups.clear();
    this.#ending?.abort(reason);
    this.#calls.rejectAll((method) => this.#closedError(`"${method}" was not answered`, true));
  }

  succeed(id: Id, result: unknown): void {
    if (!this.#calls.resolve(id, result)) this.#unknown(id);
  }

  fail({ id = null, error }: Failure): void {
    if (this.#calls.reject(id, this.#toError(error))) return;
    if (id !== null) return this.#unknown(id);
    // The other side could not read what it got. With one batch in flight and nothing else it can only have been that.
    const [group] = this.#groups;
    if (group && this.#groups.size === 1 && this.#calls.size === group.ids.size)
      this.#rejectGroup(group, this.#toError(error));
    else this.#report(this.#toError(error), "message");
  }

  /** Rejects the call that a broken message was meant to answer; false if there is none. */
  failInvalid(id: Id, message: string): boolean {
    return this.#calls.reject(id, new InvalidResponseError(message, id));
  }

  /** A batch is answered by one array: members that are not in it will not be answered any more. */
  settleBatch(messages: readonly unknown[]): void {
    for (const group of this.#groups) {
      if (!messages.some((message) => group.ids.has((message as { id?: Id } | null)?.id as Id))) continue;
      this.#groups.delete(group);
      for (const id of group.ids)
        this.#calls.reject(id, new InvalidResponseError("The answer to the batch leaves this request out", id));
    }
  }

  /** False when the notification is no progress of a call in flight. */
  progress(token: Id, params: unknown): boolean {
    if (!this.#calls.has(token)) return false;
    const fault = (error: unknown): void => this.#report(error, "handler");
    try {
      const outcome = this.#calls.progress(token)?.(params);
      if (isPromise(outcome)) outcome.then(undefined, fault);
    } catch (error) {
      fault(error);
    }
    return true;
  }

  #send(call: Outgoing): Promise<unknown> {
    const { method, params, options } = call;
    const signal = options?.signal;
    if (this.#ended) return Promise.reject(this.#closedError(`"${method}" was not sent`, false));
    if (signal?.aborted)
      return Promise.reject(new AbortError(`"${method}" was aborted before it was sent`, signal.reason));
    if (call.id === undefined || (call.tried && this.#profile.freshIds)) call.id = this.#nextId();
    call.tried = true;
    const id = call.id;
    if (this.#calls.has(id)) return Promise.reject(new Error(`The id ${JSON.stringify(id)} is already in flight`));
    return new Promise((resolve, reject) => {
      const request = this.#requestFor(id, method, params, options);
      this.#calls.add(id, method, resolve, reject, options);
      if (call.group?.open) {
        call.group.ids.add(id);
        call.group.messages.push(request);
      } else {
        // A repetition has left the batch: what becomes of that is nothing to it.
        call.group?.ids.delete(id);
        this.#transmit(request, options, (error) => this.#calls.reject(id, error));
      }
    });
  }

  #requestFor(id: Id, method: string, params: unknown, options: CallOptions | undefined): Request {
    const { progress } = this.#profile;
    const wanted = progress && (options?.onProgress || options?.resetTimeoutOnProgress);
    const full = (wanted ? progress.attach(params as Params | undefined, id) : params) as Params | undefined;
    return full === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params: full };
  }

  #sendBatch(group: Group): void {
    if (group.ids.size > 0) this.#groups.add(group);
    this.#transmit(group.messages, undefined, (error) => {
      // One member that can't be serialised must not take the others with it.
      const sound = group.messages.filter((message) => isSerialisable(message) || this.#drop(message, error));
      if (sound.length === group.messages.length) this.#rejectGroup(group, error);
      else if (sound.length > 0) this.#transmit(sound, undefined, (again) => this.#rejectGroup(group, again));
    });
  }

  #drop(message: Message, error: unknown): false {
    if ("id" in message) this.#calls.reject(message.id, error);
    return false;
  }

  #rejectGroup(group: Group, error: unknown): void {
    this.#groups.delete(group);
    for (const id of group.ids) this.#calls.reject(id, error);
  }

  #transmit(
    message: Message | readonly Message[],
    options: SendOptions | undefined,
    failed: (error: unknown) => void,
  ): void {
    try {
      this.#transport.send(message, options)?.then(undefined, failed);
    } catch (error) {
      failed(error);
    }
  }

  #debounce(method: string): Promise<void> {
    if (this.#due.size === 0) queueMicrotask(() => this.#flush());
    this.#due.add(method);
    return DONE;
  }

  #flush(): void {
    for (const method of this.#due)
      this.#transmit(notification(method, undefined), undefined, (error) => this.#report(error, "transport"));
    this.#due.clear();
  }

  #gaveUp(id: Id, method: string, error: Error): void {
    const { cancel } = this.#profile;
    if (this.#transport.cancel?.(id) || !cancel || cancel.except?.includes(method)) return;
    void this.notify(cancel.method, cancel.params(id, reasonText(error)), { cause: id });
  }

  #unknown(id: Id): void {
    const message = `Nobody waits for an answer with the id ${JSON.stringify(id)}: it came late, twice, or was never asked for`;
    this.#report(new InvalidResponseError(message, id), "message");
  }

  #closedError(what: string, sent: boolean): ClosedError {
    const reason = this.#ended?.reason;
    const why =
      reason === undefined ? "the connection has ended" : reason instanceof Error ? reason.message : String(reason);
    return new ClosedError(`${what}: ${why}`, { cause: reason, sent });
  }
}

const notification = (method: string, params: unknown): Notification =>
  params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params: params as Params };

function reasonText(error: Error): string {
  const cause = error instanceof AbortError ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
