import { type Collector, Incoming, type Sender } from "./context.ts";
import { AbortError, INVALID_REQUEST, METHOD_NOT_FOUND, RpcError, SERVER_ERROR, errorObject } from "./errors.ts";
import { type Dispatcher, isPromise } from "./handler.ts";
import type { Invalid } from "./invalid.ts";
import { type Id, type Notification, type Params, type Request, type Response, failure, success } from "./message.ts";
import type { Profile } from "./profile.ts";
import type { Report } from "./report.ts";
import { type TaskLimits, Tasks } from "./tasks.ts";
import type { Info } from "./transport.ts";

export interface InboundOptions extends TaskLimits {
  /** Members of an incoming batch (default 1,000). */
  readonly maxBatch?: number | undefined;
}

/** The half of a connection that answers: requests and notifications in, responses out. */
export class Inbound {
  readonly tasks: Tasks;
  readonly #service: Dispatcher;
  readonly #profile: Profile;
  readonly #maxBatch: number;
  readonly #send: (response: Response) => void;
  readonly #sender: Sender | undefined;
  readonly #report: Report;

  /** `send` takes each response that is not collected; `sender` lets handlers call back. */
  constructor(
    service: Dispatcher | undefined,
    profile: Profile,
    options: InboundOptions,
    report: Report,
    send: (response: Response) => void,
    sender?: Sender,
  ) {
    this.#service = service ?? nowhere;
    this.#profile = profile;
    this.#maxBatch = options.maxBatch ?? 1000;
    this.#report = report;
    this.#send = send;
    this.#sender = sender;
    this.tasks = new Tasks(options, (task) => this.#run(task));
  }

  /** Gives the task that was started or waits; undefined where the request was refused. */
  request(request: Request, info: Info | undefined, collector?: Collector): Incoming | undefined {
    const { id } = request;
    const repeated = this.tasks.has(id);
    const refusal = repeated && !this.#service.repeat ? inFlight(id) : this.#profile.refuse?.(request);
    if (refusal !== undefined) return this.#refuse(id, INVALID_REQUEST, `Invalid Request: ${refusal}`, collector);
    const task = new Incoming(request, this.#sender, info, collector);
    task.repeated = repeated;
    if (this.tasks.admit(task)) return task;
    return this.#refuse(id, SERVER_ERROR, "Too many requests are waiting; try again later", collector);
  }

  notification(message: Notification, info: Info | undefined, collector?: Collector): void {
    if (message.method === this.#profile.cancel?.method) {
      this.#cancel(message.params);
      return collector?.settle(undefined);
    }
    if (this.tasks.admit(new Incoming(message, this.#sender, info, collector))) return;
    this.#report(new Error(`The notification "${message.method}" was dropped: too many calls are waiting`), "message");
    collector?.settle(undefined);
  }

  invalid({ error, answer }: Invalid, collector?: Collector): void {
    this.#report(new RpcError(error.code, error.message), "message");
    if (answer) this.#answer(answer, collector);
    else collector?.settle(undefined);
  }

  /** Why a batch is refused as a whole; undefined to take it. */
  refuseBatch(messages: readonly unknown[]): string | undefined {
    if (!this.#profile.batches) return "Invalid Request: batches are not part of this protocol";
    if (messages.length === 0) return "Invalid Request: a batch must not be empty";
    if (messages.length <= this.#maxBatch) return undefined;
    return `Invalid Request: a batch of ${messages.length} messages, at most ${this.#maxBatch} are taken`;
  }

  #cancel(params: Params | undefined): void {
    const { cancel } = this.#profile;
    const id = cancel?.id(params);
    if (id === undefined) return;
    const dropped = this.tasks.cancel(
      id,
      new AbortError(cancel?.reason?.(params) ?? "The caller cancelled the request"),
    );
    if (dropped) this.#fail(dropped, dropped.signal.reason);
  }

  #run(task: Incoming): void {
    let outcome: unknown;
    try {
      outcome = task.repeated ? this.#service.repeat?.(task) : this.#service.dispatch(task);
    } catch (error) {
      return this.#fail(task, error);
    }
    if (!isPromise(outcome)) return this.#succeed(task, outcome);
    this.tasks.started(task);
    outcome.then(
      (result) => {
        this.#succeed(task, result);
        this.tasks.finished(task);
      },
      (error: unknown) => {
        this.#fail(task, error);
        this.tasks.finished(task);
      },
    );
  }

  #succeed(task: Incoming, result: unknown): void {
    if (task.id === undefined || (task.cancelled && !this.#profile.cancel?.answer))
      return task.collector?.settle(undefined);
    this.#answer(success(task.id, result === undefined ? null : result), task.collector);
  }

  #fail(task: Incoming, error: unknown): void {
    const known = RpcError.is(error);
    const heard = known && (task.id !== undefined || error.code === METHOD_NOT_FOUND);
    if (!heard && !task.cancelled) this.#report(error, "handler");
    const given = task.cancelled ? this.#profile.cancel?.answer : undefined;
    if (task.id === undefined || (task.cancelled && !given)) return task.collector?.settle(undefined);
    this.#answer(failure(task.id as Id, given && !known ? given : errorObject(error)), task.collector);
  }

  #refuse(id: Id, code: number, message: string, collector: Collector | undefined): undefined {
    this.#answer(failure(id, { code, message }), collector);
  }

  #answer(response: Response, collector: Collector | undefined): void {
    if (collector) collector.settle(response);
    else this.#send(response);
  }
}

const nowhere: Dispatcher = {
  dispatch({ method }) {
    throw methodNotFound(method);
  },
};

export const inFlight = (id: Id): string => `the id ${JSON.stringify(id)} is already in flight`;

export const methodNotFound = (method: string): RpcError =>
  new RpcError(METHOD_NOT_FOUND, `Method not found: "${method}"`);
