import type { Message, Request } from "@x/jsonrpc";
import { SessionError } from "./errors.ts";
import type { Link, SessionLink } from "./link.ts";
import { Listener } from "./listener.ts";
import type { HeaderValues } from "./options.ts";

/** What a server that gives no session ids is known by. */
const NONE: HeaderValues = {};

/** The session that a server has given, and what it takes to start it anew. */
export class Session implements SessionLink {
  readonly #link: Link;
  readonly #run: (message: Message) => Promise<void>;
  #id: string | undefined;
  #opening: Request | undefined;
  #ready: Message | undefined;
  #listener: Listener | undefined;
  #reopening: Promise<void> | undefined;

  /** `run` posts a message whose answer the connection is not to see. */
  constructor(link: Link, run: (message: Message) => Promise<void>) {
    this.#link = link;
    this.#run = run;
  }

  get id(): string | undefined {
    return this.#id;
  }

  headers(id: string | undefined): HeaderValues {
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

  async reopen(lost: string): Promise<void> {
    if (this.#id !== lost && !this.#reopening) return;
    this.#reopening ??= this.#reopen().finally(() => (this.#reopening = undefined));
    await this.#reopening;
  }

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

  /** Tells the server that the session is over. Rejects, or never settles, where the server doesn't care. */
  async end(signal: AbortSignal): Promise<void> {
    const { protocol, requests } = this.#link;
    if (this.#id === undefined) return;
    const headers = { ...protocol?.headers(), ...this.headers(this.#id) };
    const response = await requests.send("DELETE", { signal, headers });
    await response.body?.cancel();
  }

  async #reopen(): Promise<void> {
    const opening = this.#opening;
    this.#listener?.stop();
    this.#id = undefined;
    if (!opening) throw new SessionError(this.#link.requests.name("POST"));
    await this.#run(opening);
    if (this.#ready) await this.#run(this.#ready);
    this.#link.protocol?.reopened();
  }
}
