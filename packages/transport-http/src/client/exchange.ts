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
import { drop, isEventStream, refusalText, textWithin } from "./body.ts";
import { HttpError, StreamError } from "./errors.ts";
import type { ExchangeOptions, Link, Posted, Sent } from "./link.ts";
import { merged } from "./requests.ts";
import type { Cure, Passage } from "./protocol.ts";

/** ms that a stream may stay open after its answer: its connection can be used again if it ends in order. */
const LINGER = 1000;

/** One POST, and all that comes back for it. */
export class Exchange implements Posted, Sent {
  readonly passage: Passage;
  readonly #link: Link;
  readonly message: Message | Batch;
  readonly #text: string;
  readonly options: ExchangeOptions;
  readonly #receive: (message: unknown) => void;
  readonly #abort = new AbortController();
  /** Requests that are not answered yet. */
  readonly #open: Map<Id, Request>;
  sessionId: string | undefined;
  #cure: Cure | undefined;
  #cured = false;
  /** What it was refused with, while a cure is sought. */
  #refusal: unknown;
  #answered!: () => void;
  #streams = false;

  /** Throws for a message that can't be serialised. */
  constructor(link: Link, message: Message | Batch, options: ExchangeOptions) {
    this.#link = link;
    this.message = message;
    this.#text = stringify(message);
    this.options = options;
    this.#receive = options.receive ?? link.receive;
    this.#open = requestsIn(message);
    this.passage = link.protocol?.passage(message) ?? "alone";
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get ids(): Iterable<Id> {
    return this.#open.keys();
  }

  abort(reason: unknown = new Error("The call was given up")): void {
    this.#abort.abort(reason);
  }

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
    // A message with the id of a session that has ended gets 404, and was not taken.
    if (response.status === 404 && this.sessionId !== undefined && !this.options.receive) {
      drop(response);
      return await this.#link.session!.repeat(this);
    }
    if (!response.ok) await this.#refused(response);
    else if (this.#open.size === 0) this.#taken(response);
    else if (isEventStream(response)) await this.#stream(response);
    else await this.#body(response);
    if (this.#cure) return await this.#sendAgain(this.#cure);
    if (this.#open.size > 0) throw new StreamError(this.name("was not answered"));
  }

  async #post(): Promise<Response> {
    const { passage } = this;
    if (passage === "opens") await this.#enter();
    const { protocol, requests, session } = this.#link;
    this.sessionId = passage === "within" || passage === "ready" ? session?.id : undefined;
    return await requests.send("POST", {
      body: this.#text,
      signal: this.signal,
      headers: merged(this.options.headers, {
        "Content-Type": "application/json",
        Accept: protocol ? "application/json, text/event-stream" : "application/json",
        ...protocol?.headers(this.message),
        ...session?.headers(this.sessionId),
      }),
    });
  }

  /** Servers that need no handshake have no sessions: what those take is loaded when one is to be opened. */
  async #enter(): Promise<void> {
    const { Session } = await import("./session.ts");
    this.#link.session ??= new Session(this.#link);
  }

  #taken(response: Response): void {
    drop(response);
    if (this.passage === "ready") this.#link.session?.ready(this.message as Message);
  }

  async #body(response: Response): Promise<void> {
    const text = await textWithin(response, this.#link.maxBytes);
    if (text === undefined) throw new StreamError(this.name(`has an answer of more than ${this.#link.maxBytes} bytes`));
    if (text === "") throw new HttpError(this.name("was answered without an answer"), response, "");
    const incoming = parse(text);
    if (incoming instanceof Invalid) {
      const [id = null] = this.#open.keys();
      throw new InvalidResponseError(this.name(`got what is no JSON-RPC: ${incoming.error.message}`), id);
    }
    this.#arrived(incoming, response);
  }

  async #stream(first: Response): Promise<void> {
    const { maxBytes, session } = this.#link;
    const more = this.passage === "within" ? session?.resumable(this) : undefined;
    this.#streams = true;
    for (let response = first; ; response = await more.rest()) {
      let cause: unknown;
      try {
        await readEvents(response.body, maxBytes, {
          onRetry: (retry) => more?.wait(retry),
          onEvent: ({ id, event, data }) => {
            more?.reached(id);
            if (data !== "" && (event ?? "message") === "message") this.#arrived(parse(data), first);
          },
        });
      } catch (error) {
        cause = error;
      }
      if (this.#open.size === 0 || this.#cure) return;
      this.signal.throwIfAborted();
      if (!more?.possible) throw new StreamError(this.name("lost its stream"), cause);
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
    if (this.passage === "opens" && !isFailure(answer)) this.#link.session?.opened(this.message as Request, response);
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
    const meets = this.passage === "opens" && !this.options.receive;
    if (meets && (await this.#link.meetOld(this.message as Message, { status, failure }))) return this.#open.clear();
    if (!answers) throw new HttpError(this.name("was refused"), response, body);
    this.#arrived(failure, response);
  }

  /** A status says what a body doesn't where somebody has to authorise, and where the server is not itself. */
  #isAnswer({ id }: Failure, status: number): boolean {
    if (status === 401 || status === 403) return false;
    return status < 500 || this.#open.has(id);
  }

  /** Sends the request again once the protocol knows better, or tells the connection what it was refused with. */
  async #sendAgain(cure: Cure): Promise<void> {
    const { cured } = await import("./cure.ts");
    const isCured = await cured(this.#link, cure);
    this.#cure = undefined;
    this.#cured = true;
    if (isCured) return await this.#exchange();
    this.#deliver(this.#refusal);
  }

  name(what: string): string {
    const message = this.message;
    const call = Array.isArray(message) ? "a batch" : "method" in message ? `"${message.method}"` : "an answer";
    return `${this.#link.requests.name("POST")}: ${call} ${what}`;
  }
}

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
