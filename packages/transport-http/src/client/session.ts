import type { Message, Request } from "@x/jsonrpc";
import { SessionError } from "./errors.ts";
import type { Link, Resumable, Sent, SessionLink } from "./link.ts";
import { Listener } from "./listener.ts";
import type { HeaderFields } from "../header-fields.ts";
import { Resumption } from "./resumption.ts";

/** What a server that gives no session ids is known by. */
const NONE: HeaderFields = {};

/** The session that a server has given, and what it takes to start it anew. Loaded when the first one is asked for. */
export class Session implements SessionLink {
  readonly #link: Link;
  #id: string | undefined;
  #opening: Request | undefined;
  #ready: Message | undefined;
  #listener: Listener | undefined;
  #reopening: Promise<void> | undefined;

  constructor(link: Link) {
    this.#link = link;
  }

  get id(): string | undefined {
    return this.#id;
  }

  headers(id: string | undefined): HeaderFields {
    const { protocol } = this.#link;
    return protocol && id !== undefined ? { [protocol.sessionHeader]: id } : NONE;
  }

  opened(request: Request, response: Response): void {
    this.#opening = request;
    this.#id = response.headers.get(this.#link.protocol!.sessionHeader) ?? undefined;
  }

  ready(message: Message): void {
    this.#ready = message;
    this.#listener?.stop();
    if (this.#link.options.listen !== false && !this.#link.signal.aborted)
      this.#listener = new Listener(this.#link, this);
  }

  async repeat({ message, options, sessionId, signal }: Sent): Promise<void> {
    await this.reopen(sessionId);
    signal.throwIfAborted();
    // What belongs to the old session means nothing in the new one.
    if (!("method" in message) || !("id" in message)) return;
    const { receive } = this.#link;
    const repeated = this.#link.exchange(message, { ...options, receive });
    signal.addEventListener("abort", () => repeated.abort());
    await repeated.run();
  }

  resumable(sent: Sent): Resumable {
    return new Resumption(sent, (...from) => this.get(...from), this.#link.options.reconnect);
  }

  /** The server has ended the session `lost`: starts another, once for all who have lost it. */
  async reopen(lost: string | undefined): Promise<void> {
    if (this.#id !== lost && !this.#reopening) return;
    this.#reopening ??= this.#reopen().finally(() => (this.#reopening = undefined));
    await this.#reopening;
  }

  /** Opens a stream, or goes on with one. */
  async get(signal: AbortSignal, lastEventId: string | undefined): Promise<Response> {
    const { protocol, requests } = this.#link;
    return await requests.send("GET", {
      signal,
      headers: {
        Accept: "text/event-stream",
        ...protocol?.headers(),
        ...this.headers(this.#id),
        ...(lastEventId === undefined ? undefined : { "Last-Event-ID": lastEventId }),
      },
    });
  }

  async end(signal: AbortSignal): Promise<void> {
    const { protocol, requests } = this.#link;
    if (this.#id === undefined) return;
    const headers = { ...protocol?.headers(), ...this.headers(this.#id) };
    const response = await requests.send("DELETE", { signal, headers });
    await response.body?.cancel();
  }

  async #reopen(): Promise<void> {
    const opening = this.#opening;
    const lost = this.#id;
    // Until there is a new one calls go out in the lost one, and join this when they are refused.
    if (!opening) throw new SessionError(this.#link.requests.name("POST"));
    try {
      await this.#post(opening);
      if (this.#ready) await this.#post(this.#ready);
    } catch (error) {
      // The next call finds it lost as well, and tries again.
      this.#id = lost;
      throw error;
    }
    this.#link.protocol?.reopened();
  }

  /** Posts what the connection has sent before, and is not to see the answer of. */
  async #post(message: Message): Promise<void> {
    await this.#link.exchange(message, { receive: () => {} }).run();
  }
}
