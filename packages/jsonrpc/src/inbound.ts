import type { Group } from "./batch.ts";
import { type Answer, Incoming, type Sender } from "./context.ts";
import {
  AbortError,
  INTERNAL,
  METHOD_NOT_FOUND,
  RpcError,
  SERVER_ERROR,
  errorFrom,
  errorObject,
  inFlight,
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
  unpolluted,
} from "./message.ts";
import type { Outbound } from "./outbound.ts";
import type { Rules } from "./rules.ts";
import { type CancelProfile, type Profile, base } from "./profile.ts";
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
  readonly turns: Turns<Incoming>;
  readonly maxBatch: number;
}

/** Takes what comes in answer to calls. */
export type CallingHalf = Pick<Outbound, "size" | "settle" | "failInvalid" | "answered" | "progress">;

export const deskOf = (service: Dispatcher, options: InboundOptions): Desk => ({
  service,
  profile: options.profile ?? base,
  turns: new Turns(options),
  maxBatch: options.maxBatch ?? 1000,
  report: reporter(options.onError),
});

const BUSY: ErrorObject = { code: SERVER_ERROR, message: "Try again later: too many calls are waiting" };
const ABORTED: ErrorObject = { code: SERVER_ERROR, message: "The call was aborted" };

/** The receiving half of a connection or of a single exchange: takes what arrives and answers what has to be. */
export class Inbound {
  /** Lets handlers call back. */
  readonly sender: Sender;
  /** The calling half, which takes responses; undefined for a single exchange. */
  readonly connection: CallingHalf | undefined;
  readonly #desk: Desk;
  /**
   * What waits for its turn or for a promise, by id; a call without one, or with the id null, by itself. Most handlers
   * give a value at once: putting their calls in here and out again took 3 % of a call.
   */
  readonly #inFlight = new Map<unknown, Incoming>();
  /** Set at the end: the reason for which everything is aborted. */
  #ended: (() => unknown) | undefined;
  #onIdle: (() => void) | undefined;

  constructor(desk: Desk, sender: Sender, connection?: CallingHalf) {
    this.#desk = desk;
    this.sender = sender;
    this.connection = connection;
  }

  /** `answer` is called once all of it is handled, notifications included: with what has to be sent, if anything. */
  receive(
    message: unknown,
    info: Info | undefined,
    answer: (answers: Answers | undefined) => void | Promise<void>,
  ): void {
    if (!Array.isArray(message)) {
      this.#take(message, info, answer);
      return;
    }
    const refusal = this.#refusal(message);
    if (refusal) {
      this.#invalid(new Invalid(`Invalid Request: ${refusal}`), answer);
      return;
    }
    let responses: Response[] | undefined;
    const groups = new Set<Group | undefined>();
    let open = message.length;
    const settle: Answer = (response) => {
      if (response) (responses ??= []).push(response);
      return --open === 0 ? answer(responses) : undefined;
    };
    for (const member of message) groups.add(this.#take(member, info, settle));
    for (const group of groups) if (group) this.connection?.answered(group);
  }

  /**
   * Aborts everything in flight; what waited for its turn never starts. The reason is made only if somebody hears it: an
   * error costs as much as the rest of a connection.
   */
  end(reasonOf: () => unknown): void {
    let reason: unknown;
    this.#ended = () => (reason ??= reasonOf());
    for (const task of this.#inFlight.values()) this.#stop(task, this.#ended());
  }

  /** Calls back as soon as nothing is in flight. */
  whenIdle(callback: () => void): void {
    if (this.#inFlight.size === 0) callback();
    else this.#onIdle = callback;
  }

  /** Why a batch is refused as a whole; undefined to take it. */
  #refusal({ length }: readonly unknown[]): string | undefined {
    const { profile, maxBatch } = this.#desk;
    if (!profile.batches) return "batches are not part of this protocol";
    if (length === 0) return "a batch must not be empty";
    // The answer to a batch of our own may be as long as what we asked for.
    if (length <= maxBatch || length <= (this.connection?.size ?? 0)) return undefined;
    return `a batch of ${length} messages, at most ${maxBatch} are taken`;
  }

  /** Gives the batch whose member was answered. */
  #take(received: unknown, info: Info | undefined, answer: Answer): Group | undefined {
    const message = unpolluted(received);
    const kind = kindOf(message);
    if (kind === "invalid") return this.#invalid(Invalid.of(received), answer);
    if (kind === "success" || kind === "failure") {
      void answer(undefined);
      return this.connection?.settle(kind, message as Success & Failure);
    }
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
    const task = new Incoming(id, request, answer, this, info);
    task.repeated = this.#inFlight.has(id);
    const refusal = task.repeated && !service.repeat ? inFlight(id) : profile.refuse?.(request);
    if (refusal !== undefined) void answer(new Invalid(`Invalid Request: ${refusal}`, { id }).answer);
    else if (!this.#admit(task)) void answer(failure(id, BUSY));
  }

  #notification(message: Notification, info: Info | undefined, answer: Answer): void {
    const { method, params } = message;
    const { profile, report } = this.#desk;
    const { cancel, progress } = profile;
    const isProgress = method === progress?.method && this.connection?.progress(progress.token(params), params);
    if (!isProgress && !(method === cancel?.method && this.#cancel(cancel, params))) {
      if (this.#admit(new Incoming(undefined, message, answer, this, info))) return;
      report(new Error(`"${method}" was dropped: too many calls are waiting`), "message");
    }
    void answer(undefined);
  }

  #invalid(invalid: Invalid, answer: Answer): Group | undefined {
    const { id, error, meant } = invalid;
    // What may have been a response ends the call that waits for this id. A broken request's id is the other side's own.
    const call = meant === "request" || id === null ? undefined : this.connection?.failInvalid(id, error.message);
    if (!call) this.#desk.report(errorFrom(error), "message");
    void answer(call ? undefined : invalid.answer);
    return call?.group;
  }

  #admit(task: Incoming): boolean {
    const { turns } = this.#desk;
    if (turns.take()) {
      this.run(task);
      return true;
    }
    this.#inFlight.set(task.key, task);
    return turns.wait(task, this) || !this.#inFlight.delete(task.key);
  }

  /** Called when it is a task's turn. */
  run(task: Incoming): void {
    const { service } = this.#desk;
    let outcome: unknown;
    let later: boolean;
    try {
      outcome = task.repeated ? service.repeat?.(task) : service.dispatch(task);
      later = isPromise(outcome);
    } catch (error) {
      return this.#failed(task, error);
    }
    if (!later) return this.#succeeded(task, outcome);
    this.#inFlight.set(task.key, task);
    // The handler itself may have closed the connection.
    if (this.#ended) task.abort(this.#ended());
    Promise.resolve(outcome).then(
      (result) => this.#succeeded(task, result),
      (error: unknown) => this.#failed(task, error),
    );
  }

  #succeeded(task: Incoming, result: unknown): void {
    this.#finish(task, task.wanted ? success(task.id as Id, result ?? null) : undefined);
  }

  #failed(task: Incoming, error: unknown): void {
    const gaveUp = task.gaveUp(error);
    const shown = errorObject(error);
    const known = shown !== INTERNAL;
    // Nobody else hears what a notification's handler throws, but unknown notifications are to be ignored.
    if (!gaveUp && !(known && (task.id !== undefined || shown.code === METHOD_NOT_FOUND)))
      this.#desk.report(error, "handler");
    const instead = known ? shown : (task.cancelled?.answer ?? (gaveUp ? ABORTED : shown));
    this.#finish(task, task.wanted ? failure(task.id as Id, instead) : undefined);
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

  /** False where it names no call in flight: then it is a notification like others. */
  #cancel(cancel: CancelProfile, params: Params | undefined): boolean {
    const task = this.#inFlight.get(cancel.id(params));
    if (!task) return false;
    if (!task.cancelled) {
      task.cancelled = cancel;
      task.wanted = cancel.answer !== undefined;
      this.#stop(task, new AbortError(cancel.reason?.(params) ?? "The caller cancelled the request"));
    }
    return true;
  }

  #stop(task: Incoming, reason: unknown): void {
    task.abort(reason);
    if (this.#desk.turns.withdraw(task)) this.#failed(task, reason);
  }
}

export const methodNotFound = (method: string): RpcError =>
  new RpcError(METHOD_NOT_FOUND, `Method not found: "${method}"`);
