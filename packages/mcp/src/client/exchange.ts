import type { CallOptions, Peer } from "@x/jsonrpc";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Revision } from "../revisions/index.ts";
import { type Answers, answer } from "./answers.ts";
import type { Agreement, Link } from "./lifecycle.ts";
import type { RequestOptions, Requester } from "./requester.ts";
import { type Ask, rounds } from "./rounds.ts";

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
  async request(
    method: string,
    params?: object,
    { meta, ...options }: RequestOptions = {},
    first?: (result: unknown) => void,
  ): Promise<unknown> {
    const { lifecycle, revision } = this.#agreement;
    const own = meta ? { ...params, _meta: meta } : params;
    let round = 0;
    const send = async (more?: object): Promise<unknown> => {
      const full = more ? { ...own, ...more } : own;
      const result = await this.#peer.request(
        method,
        lifecycle.outgoing(full, this.#link, revision),
        options as CallOptions,
      );
      if (round++ === 0) first?.(result);
      return result;
    };
    if (revision.lifecycle === "handshake") return await send();
    const ask: Ask = (asked, about, context) => answer(this.#answers, asked, about, context);
    return await rounds(send, ask, { signal: options.signal ?? new AbortController().signal }, MAX_ROUNDS);
  }
}
