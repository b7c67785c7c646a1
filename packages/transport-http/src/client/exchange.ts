import {
  type Batch,
  type Failure,
  type Id,
  Invalid,
  InvalidResponseError,
  type Message,
  type Request,
  type Response as Answer,
  isFailure,
  isResponse,
  parse,
  stringify,
} from "@x/jsonrpc";
import { readEvents } from "../sse/read.ts";
import { Backoff, pause } from "./backoff.ts";
import { drop, isEventStream, refusalText, textWithin } from "./body.ts";
import { HttpError, SessionError, StreamError } from "./errors.ts";
import type { Link, SessionLink } from "./link.ts";
import type { HeaderValues } from "./options.ts";
import type { ClientProtocol, Passage } from "./protocol.ts";

/** ms that a stream may stay open after its answer: its connection can be used again if it ends in order. */
const LINGER = 1000;

export interface ExchangeOptions {
  /** Of this message alone. */
  readonly headers?: HeaderValues | undefined;
  /** Takes what comes instead of the connection. */
  readonly receive?: ((message: unknown) => void) | undefined;
  /** Meets the server in the way of 2024-11-05; true if that worked. */
  readonly meetOld?: ((message: Message | Batch) => Promise<boolean>) | undefined;
}

/** One POST, and all that comes back for it. */
export class Exchange {
  readonly passage: Passage;
  readonly #link: Link;
  readonly #session: SessionLink;
  readonly #message: Message | Batch;
  readonly #text: string;
  readonly #options: ExchangeOptions;
  readonly #receive: (message: unknown) => void;
  readonly #abort = new AbortController();
  /** Requests that are not answered yet. */
  readonly #open: Map<Id, Request>;
  /** The session that it was sent in. */
  #sessionId: string | undefined;
  #cure: ReturnType<ClientProtocol["cure"]>;
  #cured = false;
  /** What it was refused with, while a cure is sought. */
  #refusal: unknown;
  #answered!: () => void;
  #streams = false;

  /** Throws for a message that can't be serialised. */
  constructor(link: Link, session: SessionLink, message: Message | Batch, options: ExchangeOptions = {}) {
    this.#link = link;
    this.#session = session;
    this.#message = message;
    this.#text = stringify(message);
    this.#options = options;
    this.#receive = options.receive ?? link.receive;
    this.#open = requestsIn(message);
    this.passage = link.protocol?.passage(message) ?? "alone";
  }

  get ids(): Iterable<Id> {
    return this.#open.keys();
  }

  /** Gives it up. */
  abort(reason: unknown = new Error("The call was given up")): void {
    this.#abort.abort(reason);
  }

  /** Resolves when all of it is answered, or taken where there is nothing to answer. Rejects with why it is not. */
  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#run().then(resolve, reject);
    });
  }

  async #run(): Promise<void> {
    const { running, signal } = this.#link;
    if (signal.aborted) this.abort(signal.reason);
    running.add(this);
    try {
      await this.#exchange();
    } finally {
      running.delete(this);
    }
  }

  async #exchange(): Promise<void> {
    const response = await this.#post();
    if (this.#options.receive === undefined && (await this.#isLost(response))) return await this.#again();
    if (!response.ok) await this.#refused(response);
    else if (this.#open.size === 0) this.#taken(response);
    else if (isEventStream(response)) await this.#stream(response);
    else await this.#body(response);
    if (this.#cure) return await this.#sendAgain(this.#cure);
    const [open] = this.#open.keys();
    if (open !== undefined) throw new StreamError(this.#name("was not answered"));
  }

  async #post(): Promise<Response> {
    const { protocol, requests } = this.#link;
    this.#sessionId = this.passage === "within" || this.passage === "ready" ? this.#session.id : undefined;
    return await requests.send("POST", {
      body: this.#text,
      signal: this.#abort.signal,
      headers: {
        ...this.#options.headers,
        "Content-Type": "application/json",
        Accept: protocol ? "application/json, text/event-stream" : "application/json",
        ...protocol?.headers(this.#message),
        ...this.#session.headers(this.#sessionId),
      },
    });
  }

  #taken(response: Response): void {
    drop(response);
    if (this.passage === "ready") this.#session.ready(this.#message as Message);
  }

  /** A request with the id of a session that has ended gets 404, and has not run. */
  async #isLost(response: Response): Promise<boolean> {
    if (response.status !== 404 || this.#sessionId === undefined) return false;
    drop(response);
    await this.#session.reopen(this.#sessionId);
    return true;
  }

  async #again(): Promise<void> {
    // What belongs to the old session means nothing in the new one.
    if (!("method" in this.#message) || !("id" in this.#message)) return;
    const repeated = new Exchange(this.#link, this.#session, this.#message, {
      ...this.#options,
      receive: this.#receive,
    });
    const stop = (): void => repeated.abort();
    this.#abort.signal.addEventListener("abort", stop);
    await repeated.run();
    this.#open.clear();
  }

  async #body(response: Response): Promise<void> {
    const text = await textWithin(response, this.#link.maxBytes);
    if (text === undefined)
      throw new StreamError(this.#name(`has an answer of more than ${this.#link.maxBytes} bytes`));
    if (text === "") throw new HttpError(this.#name("was answered without an answer"), response, "");
    const incoming = parse(text);
    if (incoming instanceof Invalid) {
      const [id = null] = this.#open.keys();
      throw new InvalidResponseError(this.#name(`got what is no JSON-RPC: ${incoming.error.message}`), id);
    }
    this.#arrived(incoming, response);
  }

  async #stream(first: Response): Promise<void> {
    const { options, protocol, maxBytes } = this.#link;
    const backoff = new Backoff(options.reconnect);
    let lastEventId: string | undefined;
    this.#streams = true;
    for (let response = first; ; response = await this.#resume(lastEventId, backoff)) {
      let cause: unknown;
      try {
        await readEvents(response.body, maxBytes, {
          onRetry: (retry) => {
            backoff.succeeded();
            backoff.ask(retry);
          },
          onEvent: ({ id, event, data }) => {
            backoff.succeeded();
            if (id !== undefined) lastEventId = id;
            if (data !== "" && (event ?? "message") === "message") this.#arrived(parse(data), first);
          },
        });
        backoff.failed();
      } catch (error) {
        cause = error;
      }
      if (this.#open.size === 0 || this.#cure) return;
      this.#abort.signal.throwIfAborted();
      if (!protocol || this.passage !== "within" || lastEventId === undefined)
        throw new StreamError(this.#name("lost its stream"), cause);
    }
  }

  /** Asks for the rest of the stream, until it comes or there is no hope. */
  async #resume(lastEventId: string | undefined, backoff: Backoff): Promise<Response> {
    for (;;) {
      if (backoff.exhausted) throw new StreamError(this.#name("lost its stream, which could not be resumed"));
      await pause(backoff.delay, this.#abort.signal);
      this.#abort.signal.throwIfAborted();
      const outcome = await this.#session.get(this.#abort.signal, lastEventId).catch((error: unknown) => error);
      if (outcome instanceof Response && outcome.ok && isEventStream(outcome)) return outcome;
      backoff.failed();
      if (!(outcome instanceof Response)) continue;
      drop(outcome);
      if (outcome.status === 404 && this.#sessionId !== undefined) throw new SessionError(this.#name("was cut off"));
      if (outcome.status < 500)
        throw new StreamError(
          this.#name("lost its stream"),
          new HttpError("The server does not resume it", outcome, ""),
        );
    }
  }

  /** A message of an answer's stream, or the whole answer. */
  #arrived(incoming: ReturnType<typeof parse>, response: Response): void {
    if (Array.isArray(incoming)) return this.#receive(incoming.map((each) => this.#answer(each, response)));
    this.#deliver(this.#answer(incoming, response));
  }

  #deliver(message: unknown): void {
    if (this.#cure) {
      this.#refusal = message;
      return;
    }
    if (isResponse(message)) this.#open.delete(message.id);
    this.#receive(message);
    if (this.#open.size === 0) this.#finished();
  }

  #answer(message: unknown, response: Response): unknown {
    if (!isResponse(message)) return message;
    const answer = this.#withId(message);
    const request = this.#open.get(answer.id);
    if (!request) return answer;
    if (isFailure(answer) && !this.#cured) this.#cure = this.#link.protocol?.cure(request, answer);
    if (this.#cure) return answer;
    this.#open.delete(answer.id);
    if (this.passage === "opens" && !isFailure(answer)) this.#session.opened(this.#message as Request, response);
    return this.#link.protocol?.answered(request, answer) ?? answer;
  }

  /** Whoever could not read a request can't name it either, but there is only one that it can have been. */
  #withId(answer: Answer): Answer {
    const [only] = this.#open.keys();
    if (!isFailure(answer) || (answer.id ?? null) !== null || this.#open.size !== 1) return answer;
    return { ...answer, id: only as Id };
  }

  #finished(): void {
    this.#answered();
    if (!this.#streams) return;
    const timer: { unref?(): void } = setTimeout(() => this.abort(), LINGER);
    timer.unref?.();
  }

  async #refused(response: Response): Promise<void> {
    const body = await refusalText(response);
    const failure = failureIn(body);
    const { status } = response;
    const answers = failure !== undefined && this.#open.size === 1 && this.#isAnswer(failure, status);
    const old = this.passage === "opens" && OLD.has(status) && !(failure && this.#link.protocol?.isCurrent(failure));
    if (old && (await this.#options.meetOld?.(this.#message))) return this.#open.clear();
    if (!answers) throw new HttpError(this.#name("was refused"), response, body);
    this.#arrived(failure, response);
  }

  /** A status says what a body doesn't where somebody has to authorise, and where the server is not itself. */
  #isAnswer({ id }: Failure, status: number): boolean {
    if (status === 401 || status === 403) return false;
    return status < 500 || this.#open.has(id);
  }

  /** Sends the request again once the protocol knows better, or tells the connection what it was refused with. */
  async #sendAgain(cure: NonNullable<ReturnType<ClientProtocol["cure"]>>): Promise<void> {
    let step = cure.next();
    while (!step.done) step = cure.next(await this.#ask(step.value));
    this.#cure = undefined;
    this.#cured = true;
    if (step.value) return await this.#exchange();
    this.#deliver(this.#refusal);
  }

  /** The answer to a request of the protocol's own; undefined where it fails. */
  async #ask(request: Request): Promise<Answer | undefined> {
    let answer: Answer | undefined;
    const receive = (message: unknown): void => {
      if (isResponse(message)) answer = message;
    };
    const asking = new Exchange(this.#link, this.#session, request, { receive });
    await asking.run().catch((error: unknown) => this.#link.report(error, "transport"));
    return answer;
  }

  #name(what: string): string {
    const message = this.#message;
    const call = Array.isArray(message) ? "a batch" : "method" in message ? `"${message.method}"` : "an answer";
    return `${this.#link.requests.name("POST")}: ${call} ${what}`;
  }
}

/** What servers of 2024-11-05 say to a POST where they expect a GET. */
const OLD = new Set([400, 404, 405]);

function requestsIn(message: Message | Batch): Map<Id, Request> {
  const requests = new Map<Id, Request>();
  for (const each of (Array.isArray(message) ? message : [message]) as Batch)
    if ("method" in each && "id" in each) requests.set(each.id, each);
  return requests;
}

/** A JSON-RPC error, with or without its id, and whatever its `jsonrpc` says. */
function failureIn(body: string): Failure | undefined {
  try {
    const value = JSON.parse(body) as { id?: unknown; error?: unknown } | null;
    const failure = { jsonrpc: "2.0", id: value?.id ?? null, error: value?.error };
    return isFailure(failure) ? failure : undefined;
  } catch {
    return undefined;
  }
}
