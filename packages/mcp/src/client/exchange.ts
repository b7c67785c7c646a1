import type { CallOptions, Peer } from "@x/jsonrpc";
import type { ServerCapabilities } from "../model/capabilities.ts";
import { TASKS_EXTENSION } from "../model/tasks.ts";
import type { Revision } from "../revisions/index.ts";
import { type AnswerContext, type Answers, answer } from "./answers.ts";
import type { Agreement, Link } from "./lifecycle.ts";
import { Heard } from "./heard.ts";
import { Patience } from "./patience.ts";
import type { RequestOptions, Requester } from "./requester.ts";
import { isComplete, kindOf, rounds } from "./rounds.ts";

/** How often one request may come back with questions. */
const MAX_ROUNDS = 10;

/** A request that may have to be sent again. */
interface Sent {
  readonly method: string;
  readonly params: object | undefined;
  readonly options: RequestOptions | undefined;
  readonly heard: Heard | undefined;
  /** ms of `performance.now()`. */
  readonly start: number;
}

/** Sends requests with what the lifecycle adds to them, and answers what the server asks for meanwhile. */
export class Exchange implements Requester {
  readonly #peer: Peer;
  readonly #link: Link;
  readonly #agreement: Agreement;
  readonly #answers: Answers;
  /** Whether this client says that calls of tools may go on as tasks, where that is a matter of the tasks extension. */
  readonly followsTasks: boolean;

  constructor(peer: Peer, link: Link, agreement: Agreement, answers: Answers) {
    this.#peer = peer;
    this.#link = link;
    this.#agreement = agreement;
    this.#answers = answers;
    this.followsTasks =
      agreement.revision.tasks === "extension" && link.capabilities.extensions?.[TASKS_EXTENSION] !== undefined;
  }

  get revision(): Revision {
    return this.#agreement.revision;
  }

  get capabilities(): ServerCapabilities {
    return this.#agreement.capabilities;
  }

  /** `first` is given what the server answers at once: a later answer depends on answers of ours. */
  request(
    method: string,
    params?: object,
    options?: RequestOptions,
    first?: (result: unknown) => void,
  ): Promise<unknown> {
    const own = options?.meta ? { ...params, _meta: options.meta } : params;
    const isHandshake = this.revision.lifecycle === "handshake";
    // A server that has introduced itself by a handshake asks on its own: there is nothing to wait for.
    if (!first && isHandshake) return this.#send(method, own, options);
    const start = options?.maxTotalTimeout ? performance.now() : 0;
    const heard = options?.onProgress && !isHandshake ? new Heard(options.onProgress) : undefined;
    const whole = heard ? { ...options, onProgress: heard.hear } : options;
    return this.#send(method, own, whole).then((result) => {
      first?.(result);
      if (isHandshake || this.#isFinal(method, result)) return result;
      return this.#rounds(result, { method, params: own, options: whole, heard, start });
    });
  }

  /** Answers a question of the server, whichever way it came. */
  answer(method: string, params: unknown, context: AnswerContext): Promise<object> {
    return answer(this.#answers, method, params, context);
  }

  /** An extension's kind of result counts where this client declares the extension, and for what it is meant for. */
  #isFinal(method: string, result: unknown): boolean {
    return isComplete(result) || (this.followsTasks && method === "tools/call" && kindOf(result) === "task");
  }

  #send(method: string, params: object | undefined, options: RequestOptions | undefined): Promise<unknown> {
    const { lifecycle, revision } = this.#agreement;
    return this.#peer.request(method, lifecycle.outgoing(params, this.#link, revision), options as CallOptions);
  }

  async #rounds(result: unknown, { method, params, options = {}, heard, start }: Sent): Promise<unknown> {
    const { signal, maxTotalTimeout } = options;
    const patience = new Patience(method, { signal, timeout: maxTotalTimeout }, start);
    const again = { ...options, signal: patience.signal };
    const send = (more: object): Promise<unknown> => {
      heard?.again();
      return this.#send(method, { ...params, ...more }, again);
    };
    const going = rounds(result, { signal: patience.signal }, MAX_ROUNDS, {
      send,
      ask: (asked, about, context) => this.answer(asked, about, context),
      isFinal: (outcome) => this.#isFinal(method, outcome),
    });
    try {
      return await patience.over(going, () => {});
    } finally {
      patience.end();
    }
  }
}
