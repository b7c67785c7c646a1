import type { CallOptions, Peer } from "@x/jsonrpc";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Revision } from "../revisions/index.ts";
import { type Answers, answer } from "./answers.ts";
import type { Agreement, Link } from "./lifecycle.ts";
import type { RequestOptions, Requester } from "./requester.ts";
import { type Ask, isComplete, rounds } from "./rounds.ts";

/** How often one request may come back with questions. */
const MAX_ROUNDS = 10;

/** Sends requests with what the lifecycle adds to them, and answers what the server asks for meanwhile. */
export class Exchange implements Requester {
  readonly #peer: Peer;
  readonly #link: Link;
  readonly #agreement: Agreement;
  readonly #answers: Answers;

  constructor(peer: Peer, link: Link, agreement: Agreement, answers: Answers) {
    this.#peer = peer;
    this.#link = link;
    this.#agreement = agreement;
    this.#answers = answers;
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
    const answered = this.#send(method, own, options);
    // A server that has introduced itself by a handshake asks on its own: there is nothing to wait for.
    if (!first && this.revision.lifecycle === "handshake") return answered;
    return answered.then((result) => {
      first?.(result);
      return isComplete(result) ? result : this.#rounds(result, method, own, options);
    });
  }

  #send(method: string, params: object | undefined, options: RequestOptions | undefined): Promise<unknown> {
    const { lifecycle, revision } = this.#agreement;
    return this.#peer.request(method, lifecycle.outgoing(params, this.#link, revision), options as CallOptions);
  }

  #rounds(
    result: unknown,
    method: string,
    params: object | undefined,
    options: RequestOptions | undefined,
  ): Promise<unknown> {
    if (this.revision.lifecycle === "handshake") return Promise.resolve(result);
    const send = (more: object): Promise<unknown> => this.#send(method, { ...params, ...more }, options);
    const ask: Ask = (asked, about, context) => answer(this.#answers, asked, about, context);
    const signal = options?.signal ?? new AbortController().signal;
    return rounds(result, send, ask, { signal }, MAX_ROUNDS);
  }
}
