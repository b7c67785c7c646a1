import { Backoff, pause } from "./backoff.ts";
import { drop, isEventStream } from "./body.ts";
import { HttpError, SessionError, StreamError } from "./errors.ts";
import type { Resumable, Sent } from "./link.ts";
import type { ReconnectOptions } from "./options.ts";

type Get = (signal: AbortSignal, lastEventId: string | undefined) => Promise<Response>;

/** Goes on with the stream of one answer where it has broken off. */
export class Resumption implements Resumable {
  readonly #sent: Sent;
  readonly #get: Get;
  readonly #backoff: Backoff;
  #lastEventId: string | undefined;
  /** Something has come since the rest was asked for. */
  #heard = false;

  constructor(sent: Sent, get: Get, reconnect: ReconnectOptions | undefined) {
    this.#sent = sent;
    this.#get = get;
    this.#backoff = new Backoff(reconnect);
  }

  get possible(): boolean {
    return this.#lastEventId !== undefined;
  }

  reached(id: string | undefined): void {
    this.#heard = true;
    if (id !== undefined) this.#lastEventId = id;
  }

  wait(retry: number): void {
    this.#heard = true;
    this.#backoff.ask(retry);
  }

  async rest(): Promise<Response> {
    const { signal, sessionId } = this.#sent;
    if (this.#heard) this.#backoff.succeeded();
    else this.#backoff.failed();
    this.#heard = false;
    for (;;) {
      if (this.#backoff.exhausted) throw this.#lost("lost its stream, which could not be resumed");
      await pause(this.#backoff.delay, signal);
      signal.throwIfAborted();
      const response = await this.#get(signal, this.#lastEventId).catch(() => undefined);
      if (response?.ok && isEventStream(response)) return response;
      this.#backoff.failed();
      if (!response) continue;
      drop(response);
      if (response.status === 404 && sessionId !== undefined) throw new SessionError(this.#sent.name("was cut off"));
      if (response.status < 500)
        throw this.#lost("lost its stream", new HttpError("The server does not resume it", response, ""));
    }
  }

  #lost(what: string, cause?: unknown): StreamError {
    return new StreamError(this.#sent.name(what), cause);
  }
}
