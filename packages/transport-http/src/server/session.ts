import {
  type Batch,
  type Id,
  INVALID_REQUEST,
  type Message,
  type Receive,
  type Response,
  type SendOptions,
  type Transport,
  stringify,
} from "@x/jsonrpc";
import { Answer } from "./answer.ts";
import type { Carrier } from "./carrier.ts";
import type { Owner } from "./event-stream.ts";
import { RequestInfo } from "./info.ts";
import { Listeners } from "./listeners.ts";
import type { Accepts } from "./media.ts";
import { type Connection, requestId } from "./protocol.ts";
import { CLOSED, type Refusal, refusal, refuse } from "./refusal.ts";
import { Resumables } from "./resumables.ts";
import type { Linked } from "./ring.ts";
import type { Site } from "./site.ts";
import type { Auth } from "./verify.ts";
import type { Watched } from "./watch.ts";

/** Keeps sessions. */
interface Keeper {
  /** The session's client is about to be told of it: gives the header to tell it by, or why there can't be one more. */
  opened(): { readonly header: string } | Refusal;
  closed(): void;
}

/** A connection whose messages come by many POSTs and go on many streams. */
export class Session implements Transport, Owner, Watched {
  looks = 0;
  before: Linked | undefined;
  behind: Linked | undefined;
  readonly id: string = crypto.randomUUID();
  readonly principal: string | undefined;
  connection!: Connection;
  readonly listeners: Listeners;
  readonly #site: Site;
  readonly #keeper: Keeper;
  readonly #resumables: Resumables;
  /** By the ids of the requests that are not answered yet: one for all of a batch. */
  readonly #answers = new Map<Id, Answer>();
  #state: "opening" | "open" | "closed" = "opening";
  #receive!: Receive;
  #end!: () => void;

  constructor(site: Site, principal: string | undefined, keeper: Keeper) {
    const { protocol, streams } = site;
    this.#site = site;
    this.#keeper = keeper;
    this.principal = principal;
    this.#resumables = new Resumables(streams, this.id, () => protocol.polls(this.connection));
    this.listeners = new Listeners(streams, this.#resumables);
  }

  /** Does a call wait for its answer? */
  get busy(): boolean {
    return this.#answers.size > 0;
  }

  get idle(): boolean {
    return !this.busy && this.listeners.size === 0;
  }

  open(receive: Receive): Promise<void> {
    this.#receive = receive;
    return new Promise((resolve) => (this.#end = resolve));
  }

  /** Takes the message or batch of a POST. */
  post(message: Message | Batch, carrier: Carrier, accepts: Accepts, auth: Auth | undefined): void {
    // It may have waited for its turn.
    if (this.#state === "closed") return refuse(carrier, ENDED, undefined);
    this.looks = 0;
    const ids = idsOf(message);
    const [first] = ids;
    if (first === undefined) {
      this.#receive(message, new RequestInfo(carrier, auth));
      return carrier.answer(202, {});
    }
    const refused = this.#refuseIds(ids);
    if (refused) return refuse(carrier, refused, undefined);
    const answer = this.#answerOn(carrier, accepts);
    for (const id of ids) this.#answers.set(id, answer);
    const info = new RequestInfo(carrier, auth, (retry) => answer.poll(retry));
    this.#receive(message, info, () => this.#unanswered(ids));
    if (this.#answers.get(first) === answer) answer.wait();
  }

  send(message: Message | Batch, options?: SendOptions): void | Promise<void> {
    if (this.#state === "closed") return undefined;
    if (!("method" in message)) return this.#answer(message as Response | readonly Response[]);
    const text = stringify(message);
    const answer = options?.cause === undefined ? undefined : this.#answers.get(options.cause);
    return answer?.streams ? answer.precede(text) : this.listeners.send(text);
  }

  /** Nothing is cancelled by it: the client may come back. */
  left(): void {}

  /** Nothing has come from the client for long. */
  due(): void {
    if (this.idle) void this.connection.close(new Error("The session was idle for too long"));
  }

  close(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    for (const answer of new Set(this.#answers.values())) answer.abandon(CLOSED);
    this.#answers.clear();
    this.listeners.end();
    this.#resumables.end();
    this.#keeper.closed();
    this.#end();
  }

  #answerOn(carrier: Carrier, accepts: Accepts): Answer {
    const { streams } = this.#site;
    if (this.#state !== "opening") return new Answer(carrier, accepts, streams, this, this.#resumables);
    // Only the answer itself tells whether there will be a session, and the headers have to say it.
    return new Answer(carrier, accepts.json ? JSON_ONLY : accepts, streams, this);
  }

  /** An id that is in flight would be answered on the wrong stream. */
  #refuseIds(ids: readonly Id[]): Refusal | undefined {
    const twice = ids.find((id, index) => this.#answers.has(id) || ids.indexOf(id) !== index);
    if (twice === undefined) return undefined;
    const message = `Invalid Request: the id ${JSON.stringify(twice)} is already in flight`;
    return refusal(400, message, INVALID_REQUEST, twice);
  }

  #answer(message: Response | readonly Response[]): void {
    const responses = (Array.isArray(message) ? message : [message]) as readonly Response[];
    const [first] = responses;
    const answer = first && this.#answers.get(first.id);
    if (!answer) return;
    const text = stringify(message);
    // Members of a batch that were cancelled are not in its answer.
    if (message === first) this.#answers.delete(first.id);
    else for (const [id, each] of this.#answers) if (each === answer) this.#answers.delete(id);
    if (this.#state === "opening") return this.#opened(answer, first, text);
    answer.finish(text, message === first ? this.#statusOf(first) : 200);
    this.#site.answered();
  }

  /** The calls were cancelled. */
  #unanswered(ids: readonly Id[]): void {
    for (const id of ids) {
      this.#answers.get(id)?.abandon();
      this.#answers.delete(id);
    }
    this.#site.answered();
  }

  #opened(answer: Answer, response: Response, text: string): void {
    const outcome = "error" in response ? undefined : this.#keeper.opened();
    if (outcome && "header" in outcome) {
      this.#state = "open";
      answer.carrier.setHeader(outcome.header, this.id);
    }
    if (outcome && "status" in outcome) refuse(answer.carrier, { ...outcome, id: response.id }, undefined);
    else answer.finish(text, this.#statusOf(response));
    if (this.#state === "opening") void this.connection.close();
  }

  #statusOf(response: Response): number {
    return "error" in response ? this.#site.protocol.status(response.error.code, "within") : 200;
  }
}

const JSON_ONLY: Accepts = { json: true, stream: false };

/** For what comes too late to be taken, and may be sent again in another session. Calls that have begun may not. */
const ENDED: Refusal = refusal(404, "The session has ended");

const NONE: readonly Id[] = [];

function idsOf(message: Message | Batch): readonly Id[] {
  if (!Array.isArray(message)) {
    const id = requestId(message as Message);
    return id === undefined ? NONE : [id];
  }
  return (message as Batch).map(requestId).filter((id) => id !== undefined);
}
