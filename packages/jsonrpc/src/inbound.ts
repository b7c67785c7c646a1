import type { Group } from "./batch.ts";
import { type Answer, Incoming, type Sender } from "./context.ts";
import {
  AbortError,
  INTERNAL,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  RpcError,
  SERVER_ERROR,
  errorObject,
} from "./errors.ts";
import type { Answers } from "./fault.ts";
import { type Dispatcher, isPromise } from "./handler.ts";
import { Invalid } from "./invalid.ts";
import {
  type ErrorObject,
  type Failure,
  type Id,
  type Notification,
  type Params,
  type Request,
  type Response,
  type Success,
  failure,
  kindOf,
  success,
} from "./message.ts";
import type { Outbound } from "./outbound.ts";
import type { Rules } from "./rules.ts";
import { type Profile, base } from "./profile.ts";
import { type Report, reporter } from "./report.ts";
import type { Info } from "./transport.ts";
import { type TurnLimits, Turns } from "./turns.ts";

export interface InboundOptions extends TurnLimits {
  /** Calls in an incoming batch (default 1,000). */
  readonly maxBatch?: number | undefined;
  readonly profile?: Profile | undefined;
  /** Hears what nobody else does: handlers' causes, unknown answers, send failures. Default: `console.error` for handlers. */
  readonly onError?: Report | undefined;
}

/** How calls are answered: one for each connection, one for all single exchanges of a service. */
export interface Desk extends Rules {
  readonly service: Dispatcher;
  readonly turns: Turns;
  readonly maxBatch: number;
}

export const deskOf = (service: Dispatcher, options: InboundOptions): Desk => ({
  service,
  profile: options.profile ?? base,
  turns: new Turns(options),
  maxBatch: options.maxBatch ?? 1000,
  report: reporter(options.onError),
});

const BUSY: ErrorObject = { code: SERVER_ERROR, message: "Too many requests are waiting; try again later" };
const ABORTED: ErrorObject = { code: SERVER_ERROR, message: "The call was aborted" };

/** The receiving half of a connection or of a single exchange: takes what arrives and answers what has to be. */
export class Inbound {
  readonly #desk: Desk;
  readonly #sender: Sender;
  readonly #outbound: Outbound | undefined;
  /** By id; a call without one, or with the id null, by itself. */
  readonly #inFlight = new Map<unknown, Incoming>();
  #onIdle: (() => void) | undefined;

  /** `sender` lets handlers call back; `outbound` is a connection's, and takes responses. */
  constructor(desk: Desk, sender: Sender, outbound?: Outbound) {
    this.#desk = desk;
    this.#sender = sender;
    this.#outbound = outbound;
  }

  /** `answer` is called once all of it is handled, notifications included: with what has to be sent, if anything. */
  receive(
    message: unknown,
    info: Info | undefined,
    answer: (answers: Answers | undefined) => void | Promise<void>,
  ): void {
    const refusal = Array.isArray(message) ? this.#refusal(message) : undefined;
    if (!Array.isArray(message) || refusal !== undefined) {
      this.#take(refusal === undefined ? message : Invalid.frame(refusal), info, answer);
      return;
    }
    const responses: Response[] = [];
    const groups = new Set<Group | undefined>();
    let open = message.length;
    const settle: Answer = (response) => {
      if (response) responses.push(response);
      return --open > 0 ? undefined : answer(responses.length > 0 ? responses : undefined);
    };
    for (const member of message) groups.add(this.#take(member, info, settle));
    for (const group of groups) if (group) this.#outbound?.answered(group);
  }

  /** Aborts everything in flight. What waited for its turn never starts. */
  end(reason: unknown): void {
    for (const task of [...this.#inFlight.values()]) this.#stop(task, reason);
  }

  /**
   * As `end`, where no answer can be sent any more: handlers that don't obey their signal are forgotten. The reason is
   * made only if somebody hears it: an error costs as much as the rest of a connection.
   */
  close(reason: () => unknown): void {
    if (this.#inFlight.size === 0) return;
    this.end(reason());
    this.#inFlight.clear();
  }

  /** Calls back as soon as nothing is in flight. */
  whenIdle(callback: () => void): void {
    if (this.#inFlight.size === 0) callback();
    else this.#onIdle = callback;
  }

  /** Why a batch is refused as a whole; undefined to take it. */
  #refusal(messages: readonly unknown[]): string | undefined {
    const { profile } = this.#desk;
    // The answer to a batch of our own may be as long as what we asked for.
    const maxBatch = Math.max(this.#desk.maxBatch, this.#outbound?.size ?? 0);
    if (!profile.batches) return "Invalid Request: batches are not part of this protocol";
    if (messages.length === 0) return "Invalid Request: a batch must not be empty";
    if (messages.length <= maxBatch) return undefined;
    return `Invalid Request: a batch of ${messages.length} messages, at most ${maxBatch} are taken`;
  }

  /** Gives the batch whose member was answered. */
  #take(message: unknown, info: Info | undefined, answer: Answer): Group | undefined {
    const kind = kindOf(message);
    if (kind === "success" || kind === "failure") {
      void answer(undefined);
      return kind === "success"
        ? this.#outbound?.succeed(message as Success)
        : this.#outbound?.fail(message as Failure);
    }
    if (kind === "invalid") return this.#invalid(Invalid.of(message), answer);
    try {
      if (kind === "request") this.#request(message as Request, info, answer);
      else this.#notification(message as Notification, info, answer);
    } catch (error) {
      // A function of the profile's, which is none of the transport's business.
      this.#desk.report(error, "handler");
      void answer(kind === "request" ? failure((message as Request).id, errorObject(error)) : undefined);
    }
    return undefined;
  }

  #request(request: Request, info: Info | undefined, answer: Answer): void {
    const { id } = request;
    const { profile, service } = this.#desk;
    const repeated = this.#inFlight.has(id);
    const refusal = repeated && !service.repeat ? inFlight(id) : profile.refuse?.(request);
    if (refusal !== undefined)
      void answer(failure(id, { code: INVALID_REQUEST, message: `Invalid Request: ${refusal}` }));
    else if (
      !this.#admit(new Incoming(request, answer, { info, sender: this.#sender, connection: this.#outbound, repeated }))
    )
      void answer(failure(id, BUSY));
  }

  #notification(message: Notification, info: Info | undefined, answer: Answer): void {
    const { method, params } = message;
    const { profile, report } = this.#desk;
    const { cancel, progress } = profile;
    const isProgress = method === progress?.method && this.#outbound?.progress(progress.token(params), params);
    if (!isProgress && !(method === cancel?.method && this.#cancel(params))) {
      if (this.#admit(new Incoming(message, answer, { info, sender: this.#sender, connection: this.#outbound })))
        return;
      else report(new Error(`The notification "${method}" was dropped: too many calls are waiting`), "message");
    }
    void answer(undefined);
  }

  #invalid(invalid: Invalid, answer: Answer): Group | undefined {
    const { id, error, meant } = invalid;
    // What may have been a response ends the call that waits for this id. A broken request's id is the other side's own.
    const call = meant === "request" || id === null ? undefined : this.#outbound?.failInvalid(id, error.message);
    if (!call) this.#desk.report(new RpcError(error.code, error.message), "message");
    void answer(call ? undefined : invalid.answer);
    return call?.group;
  }

  #admit(task: Incoming): boolean {
    const { turns } = this.#desk;
    const now = turns.take();
    if (!now && !turns.wait(task, () => this.#run(task))) return false;
    this.#inFlight.set(task.key, task);
    if (now) this.#run(task);
    return true;
  }

  #run(task: Incoming): void {
    const { service } = this.#desk;
    let outcome: unknown;
    let later: boolean;
    try {
      outcome = task.repeated ? service.repeat?.(task) : service.dispatch(task);
      later = isPromise(outcome);
    } catch (error) {
      return this.#finish(task, this.#failed(task, error));
    }
    if (!later) return this.#finish(task, this.#succeeded(task, outcome));
    Promise.resolve(outcome).then(
      (result) => this.#finish(task, this.#succeeded(task, result)),
      (error: unknown) => this.#finish(task, this.#failed(task, error)),
    );
  }

  #finish(task: Incoming, response: Response | undefined): void {
    const { turns } = this.#desk;
    this.#inFlight.delete(task.key);
    // An answer that the transport has not taken yet still counts: a slow reader must not make memory grow.
    const sent = task.answer(response);
    if (sent) void sent.then(() => turns.give());
    else turns.give();
    if (this.#inFlight.size === 0) this.#onIdle?.();
  }

  #succeeded(task: Incoming, result: unknown): Response | undefined {
    if (task.id === undefined || (task.cancelled && !this.#desk.profile.cancel?.answer)) return undefined;
    return success(task.id, result === undefined ? null : result);
  }

  #failed(task: Incoming, error: unknown): Response | undefined {
    const { profile, report } = this.#desk;
    const gaveUp = task.gaveUp(error);
    const shown = errorObject(error);
    const known = shown !== INTERNAL;
    // Nobody else hears what a notification's handler throws, but unknown notifications are to be ignored.
    if (!gaveUp && !(known && (task.id !== undefined || shown.code === METHOD_NOT_FOUND))) report(error, "handler");
    if (task.id === undefined) return undefined;
    const cancelled = task.cancelled ? profile.cancel : undefined;
    if (cancelled && !cancelled.answer) return undefined;
    if (cancelled?.answer && !known) return failure(task.id, cancelled.answer);
    return failure(task.id, gaveUp && !known ? ABORTED : shown);
  }

  /** False where it names no call in flight: then it is a notification like others. */
  #cancel(params: Params | undefined): boolean {
    const { cancel } = this.#desk.profile;
    const task = this.#inFlight.get(cancel?.id(params));
    if (!task) return false;
    if (!task.cancelled) {
      task.cancelled = true;
      this.#stop(task, new AbortError(cancel?.reason?.(params) ?? "The caller cancelled the request"));
    }
    return true;
  }

  #stop(task: Incoming, reason: unknown): void {
    task.abort(reason);
    if (this.#desk.turns.withdraw(task)) this.#finish(task, this.#failed(task, reason));
  }
}

export const inFlight = (id: Id): string => `the id ${JSON.stringify(id)} is already in flight`;

export const methodNotFound = (method: string): RpcError =>
  new RpcError(METHOD_NOT_FOUND, `Method not found: "${method}"`);
