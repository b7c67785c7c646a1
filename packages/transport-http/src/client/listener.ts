import { parse } from "@x/jsonrpc";
import { readEvents } from "../sse/read.ts";
import { Backoff, pause } from "./backoff.ts";
import { drop, isEventStream } from "./body.ts";
import { HttpError } from "./errors.ts";
import type { Link } from "./link.ts";

/** The session that it listens in. */
interface Listening {
  readonly id: string | undefined;
  reopen(lost: string): Promise<void>;
  get(signal: AbortSignal, lastEventId: string | undefined): Promise<Response>;
}

/** The stream for what the server sends unasked: opened again whenever it ends, until `stop`. */
export class Listener {
  readonly #link: Link;
  readonly #session: Listening;
  readonly #abort = new AbortController();
  readonly #backoff: Backoff;
  #lastEventId: string | undefined;
  /** No answer came the last time: that is told once, not with every try. */
  #unreachable = false;

  constructor(link: Link, session: Listening) {
    this.#link = link;
    this.#session = session;
    this.#backoff = new Backoff({ ...link.options.reconnect, attempts: Infinity });
    link.signal.addEventListener("abort", () => this.stop(), { once: true });
    void this.#run();
  }

  stop(): void {
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    for (let first = true; !signal.aborted; first = false) {
      if (!first) await pause(this.#backoff.delay, signal);
      if (signal.aborted || !(await this.#once(first))) return;
    }
  }

  /** False when there is no use in trying again. */
  async #once(first: boolean): Promise<boolean> {
    const { signal } = this.#abort;
    const sessionId = this.#session.id;
    let response: Response;
    try {
      response = await this.#session.get(signal, this.#lastEventId);
    } catch (error) {
      if (!signal.aborted && !this.#unreachable) this.#link.report(error, "transport");
      this.#unreachable = true;
      this.#backoff.failed();
      return true;
    }
    this.#unreachable = false;
    if (response.ok && isEventStream(response)) return await this.#read(response);
    drop(response);
    if (response.status === 404 && !first && sessionId !== undefined) {
      try {
        await this.#session.reopen(sessionId);
        // The new session has a listener of its own.
        return false;
      } catch (error) {
        this.#link.report(error, "transport");
        this.#backoff.failed();
        return true;
      }
    }
    // The server doesn't know this event any more; from now on is better than not at all.
    if (this.#lastEventId !== undefined && response.status < 500) {
      this.#lastEventId = undefined;
      this.#backoff.failed();
      return true;
    }
    if (response.status === 401 || response.status === 403)
      this.#link.report(new HttpError(`${this.#link.requests.name("GET")} was refused`, response, ""), "transport");
    this.#backoff.failed();
    // Any other refusal means that the server has nothing to say unasked. 501 and what is no stream mean the same.
    return response.status >= 500 && response.status !== 501;
  }

  async #read(response: Response): Promise<boolean> {
    const { receive, maxBytes } = this.#link;
    let heard = false;
    try {
      await readEvents(response.body, maxBytes, {
        onRetry: (retry) => {
          heard = true;
          this.#backoff.ask(retry);
        },
        onEvent: ({ id, event, data }) => {
          heard = true;
          if (id !== undefined) this.#lastEventId = id;
          if (data !== "" && (event ?? "message") === "message") receive(parse(data));
        },
      });
    } catch {
      // That an idle stream is cut off is nothing to tell: it is opened again.
    }
    if (heard) this.#backoff.succeeded();
    else this.#backoff.failed();
    return true;
  }
}
