import type { CallOptions, Peer } from "@x/jsonrpc";
import type { ServerCapabilities } from "../model/capabilities.ts";
import { TASKS_EXTENSION } from "../model/tasks.ts";
import type { Revision } from "../revisions/index.ts";
import type { AnswerContext, Answers } from "./answers.ts";
import type { Agreement, Link } from "./lifecycle.ts";
import { Heard } from "./heard.ts";
import type { RequestOptions, Requester } from "./requester.ts";
import type { Sent } from "./rounds.ts";
import { isComplete, kindOf } from "./result-type.ts";

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
      const again = (more: object, next: RequestOptions): Promise<unknown> => {
        heard?.again();
        return this.#send(method, { ...own, ...more }, next);
      };
      return this.#rounds(result, { method, options: whole ?? {}, start }, again);
    });
  }

  /** Answers a question of the server, whichever way it came. */
  async answer(method: string, params: unknown, context: AnswerContext): Promise<object> {
    const { answer } = await import("./answering.ts");
    return await answer(this.#answers, method, params, context);
  }

  /** An extension's kind of result counts where this client declares the extension, and for what it is meant for. */
  #isFinal(method: string, result: unknown): boolean {
    return isComplete(result) || (this.followsTasks && method === "tools/call" && kindOf(result) === "task");
  }

  #send(method: string, params: object | undefined, options: RequestOptions | undefined): Promise<unknown> {
    const { lifecycle, revision } = this.#agreement;
    return this.#peer.request(method, lifecycle.outgoing(params, this.#link, revision), options as CallOptions);
  }

  async #rounds(
    result: unknown,
    sent: Sent,
    send: (more: object, options: RequestOptions) => Promise<unknown>,
  ): Promise<unknown> {
    const { rounds } = await import("./rounds.ts");
    return await rounds(result, sent, {
      send,
      ask: (method, params, context) => this.answer(method, params, context),
      isFinal: (outcome) => this.#isFinal(sent.method, outcome),
    });
  }
}
