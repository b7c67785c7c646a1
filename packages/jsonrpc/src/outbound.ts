import { type BatchBuilder, type BatchResults, Group } from "./batch.ts";
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
  errorReader,
} from "./errors.ts";
import { isSerialisable } from "./fault.ts";
import { type CallOptions, type Middleware, compose } from "./handler.ts";
import {
  type Failure,
  type Id,
  type Message,
  type Params,
  type Request,
  type Success,
  notification,
} from "./message.ts";
import { Outgoing } from "./outgoing.ts";
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
  readonly #transport: Transport;
  readonly #rules: Rules;
  readonly #calls: Calls;
  readonly #toError: ReturnType<typeof errorReader>;
  readonly #nextId: () => Id;
  readonly #debounced: readonly string[];
  /** Debounced notifications of this turn. */
  #due: string[] = [];
  readonly #middleware: Middleware<Outgoing>[] = [];
  #call: (call: Outgoing) => unknown = (call) => this.#send(call);
  /** A request that could not be sent. */
  readonly #lost = (error: unknown, message: Message): void => this.#calls.take((message as Request).id)?.reject(error);
  #lastId = 0;
  /** Why no answer can come any more. */
  #ended: { readonly reason: unknown } | undefined;
  /** Made when somebody asks for its signal. */
  #ending: AbortController | undefined;
  #closed = false;

  constructor(transport: Transport, rules: Rules, options: OutboundOptions) {
    this.#transport = transport;
    this.#rules = rules;
    this.#calls = new Calls(options.timeout, (waiting, error) => this.#gaveUp(waiting, error));
    this.#toError = errorReader(options.errors);
    this.#nextId = options.nextId ?? (() => ++this.#lastId);
    this.#debounced = [...(options.debouncedNotificationMethods ?? [])];
  }

  /** Calls in flight. */
  get size(): number {
    return this.#calls.size;
  }

  get ended(): AbortSignal {
    this.#ending ??= new AbortController();
    if (this.#ended) this.#ending.abort(this.#ended.reason);
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
    if (this.#closed) return unheard(this.#notSent(method));
    if (params === undefined && options?.cause === undefined && this.#debounced.includes(method))
      return this.#debounce(method);
    return this.#hand(notification(method, params), options, ignore);
  }

  async batch<const T extends readonly unknown[]>(build: (batch: BatchBuilder) => T): Promise<BatchResults<T>> {
    const group = new Group();
    const { messages } = group;
    try {
      const results = build({
        request: (method: string, ...[params, options]: [params?: unknown, options?: CallOptions]) => {
          const result = this.request(method, params, options, group);
          // Whoever leaves a member alone hears of its failure from the others, or doesn't want to.
          result.catch(() => {});
          return result;
        },
        notify: (method: string, ...[params]: [params?: unknown]) => void messages.push(notification(method, params)),
      });
      group.open = false;
      if (this.#rules.profile.batches) this.#sendMembers(group, messages);
      else for (const message of messages) this.#sendMembers(group, [message]);
      return (await Promise.all(results)) as BatchResults<T>;
    } catch (error) {
      if (group.open) this.#rejectGroup(group, () => error);
      group.open = false;
      throw error;
    }
  }

  use(...middleware: Middleware<Outgoing>[]): void {
    this.#middleware.push(...middleware);
    this.#call = compose(this.#middleware, (call) => this.#send(call));
  }

  /** No answer will come: ends every call in flight and refuses new ones. Notifications can still be sent. */
  end(reason: unknown): void {
    this.#ended ??= { reason };
    this.#ending?.abort(reason);
    for (const { call, reject } of this.#calls.clear())
      reject(this.#closedError(`"${call.method}" was not answered`, true));
  }

  /** Nothing can be sent any more. */
  close(reason: unknown): void {
    this.#closed = true;
    this.#due = [];
    this.end(reason);
  }

  /** Gives the batch that the answered call was sent in. */
  succeed({ id, result }: Success): Group | undefined {
    const waiting = this.#calls.take(id) ?? this.#unknown(id);
    waiting?.resolve(result);
    return waiting?.call.group;
  }

  /** As `succeed`. */
  fail({ id, error }: Failure): Group | undefined {
    const waiting = this.#calls.take(id);
    const reason = this.#toError(error);
    if (waiting) waiting.reject(reason);
    else if ((id ?? null) !== null) this.#unknown(id);
    else this.#refused(reason);
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
    this.#rejectGroup(group, (id) => new InvalidResponseError("The answer to the batch leaves this request out", id));
  }

  /** False when the notification is no progress of a call in flight. */
  progress(token: Id | undefined, params: unknown): boolean {
    const waiting = this.#calls.progress(token);
    if (!waiting) return false;
    const hear = async (): Promise<unknown> => waiting.call.options?.onProgress?.(params);
    hear().catch((error: unknown) => this.#rules.report(error, "handler"));
    return true;
  }

  #send(call: Outgoing): Promise<unknown> {
    const { method, options } = call;
    const signal = options?.signal;
    if (this.#ended) return Promise.reject(this.#notSent(method));
    if (signal?.aborted)
      return Promise.reject(new AbortError(`"${method}" was aborted before it was sent`, signal.reason));
    if (call.id === undefined || (call.tried && this.#rules.profile.freshIds)) call.id = this.#nextId();
    call.tried = true;
    const id = call.id;
    if (this.#calls.get(id)) return Promise.reject(new Error(`The id ${JSON.stringify(id)} is already in flight`));
    return new Promise((resolve, reject) => {
      const request = this.#requestFor(id, call);
      if (!call.group?.open) call.group = undefined;
      this.#calls.add(id, call, resolve, reject);
      if (call.group) call.group.messages.push(request);
      else void this.#hand(request, options, this.#lost);
    });
  }

  #sendMembers(group: Group, members: readonly Message[]): void {
    if (members.length === 0 || this.#closed) return;
    try {
      this.#transport
        .send(this.#rules.profile.batches ? members : (members[0] as Message))
        ?.catch((error: unknown) => this.#rejectGroup(group, () => error));
    } catch (error) {
      // One member that can't be serialised must not take the others with it.
      const sound = new Set(members.filter(isSerialisable));
      const all = sound.size === members.length;
      for (const member of members) {
        if (!all && sound.has(member)) continue;
        const waiting = this.#calls.take((member as Request).id);
        if (waiting) waiting.reject(error);
        else this.#rules.report(error, "transport");
      }
      if (!all) this.#sendMembers(group, [...sound]);
    }
  }

  #rejectGroup(group: Group, error: (id: Id) => unknown): void {
    for (const message of group.messages) {
      const { id } = message as Request;
      if (this.#calls.get(id)?.call.group === group) this.#calls.take(id)?.reject(error(id));
    }
  }

  /** Sends, and tells `failed` of what goes wrong at once or later. Nobody has to listen to the promise. */
  #hand(
    message: Message,
    options: SendOptions | undefined,
    failed: (error: unknown, message: Message) => void,
  ): Promise<void> {
    try {
      const sent = this.#transport.send(message, options);
      sent?.catch((error: unknown) => failed(error, message));
      return sent ?? DONE;
    } catch (error) {
      failed(error, message);
      return unheard(error);
    }
  }

  #requestFor(id: Id, { method, params, options }: Outgoing): Request {
    const { progress } = this.#rules.profile;
    const wanted = progress && (options?.onProgress || options?.resetTimeoutOnProgress);
    const full = (wanted ? progress.attach(params as Params | undefined, id) : params) as Params | undefined;
    return full === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params: full };
  }

  #debounce(method: string): Promise<void> {
    if (this.#due.length === 0) queueMicrotask(() => this.#flush());
    if (!this.#due.includes(method)) this.#due.push(method);
    return DONE;
  }

  #flush(): void {
    for (const method of this.#due)
      void this.#hand(notification(method), undefined, (error) => this.#rules.report(error, "transport"));
    this.#due = [];
  }

  #gaveUp({ id, call: { method, options } }: Waiting, error: Error): void {
    const { profile, report } = this.#rules;
    const { cancel } = profile;
    try {
      if (this.#transport.cancel?.(id) || !cancel || cancel.except?.includes(method)) return;
      void this.notify(cancel.method, cancel.params(id, textOf(error.cause ?? error)), { cause: options?.cause });
    } catch (fault) {
      // Other calls may have been given up at the same moment.
      report(fault, "transport");
    }
  }

  /** The other side could not read what it got: a batch, if that is all it can have been. */
  #refused(error: RpcError): void {
    const groups = new Set(this.#calls.all().map(({ call }) => call.group));
    if (error.code === INVALID_REQUEST || error.code === PARSE_ERROR) groups.delete(undefined);
    const [group] = groups;
    if (group && groups.size === 1) this.#rejectGroup(group, () => error);
    else this.#rules.report(error, "message");
  }

  #unknown(id: Id): undefined {
    const message = `Nobody waits for an answer with the id ${JSON.stringify(id)}: it came late or was never asked for`;
    this.#rules.report(new InvalidResponseError(message, id), "message");
  }

  #notSent(method: string): ClosedError {
    return this.#closedError(`"${method}" was not sent`, false);
  }

  #closedError(what: string, sent: boolean): ClosedError {
    const reason = this.#ended?.reason;
    const why = reason === undefined ? "the connection has ended" : textOf(reason);
    return new ClosedError(`${what}: ${why}`, { cause: reason, sent });
  }
}

const textOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

const ignore = (): void => {};
