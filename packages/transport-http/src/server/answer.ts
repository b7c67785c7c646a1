import type { Carrier } from "./carrier.ts";
import { EventStream, type Owner } from "./event-stream.ts";
import type { Accepts } from "./media.ts";
import { JSON_TYPE, type Refusal, TOO_MANY_STREAMS, refuse } from "./refusal.ts";
import type { Resumables } from "./resumables.ts";
import type { Linked } from "./ring.ts";
import type { Streams } from "./streams.ts";
import type { Watched } from "./watch.ts";

/** The answer to one POST: a JSON body, or an event stream from the moment on that something precedes the result. */
export class Answer implements Watched {
  looks = 0;
  before: Linked | undefined;
  behind: Linked | undefined;
  readonly carrier: Carrier;
  readonly #accepts: Accepts;
  readonly #streams: Streams;
  readonly #owner: Owner;
  readonly #resumables: Resumables | undefined;
  #stream: EventStream | undefined;
  #refused = false;

  constructor(carrier: Carrier, accepts: Accepts, streams: Streams, owner: Owner, resumables?: Resumables) {
    this.carrier = carrier;
    this.#accepts = accepts;
    this.#streams = streams;
    this.#owner = owner;
    this.#resumables = resumables;
  }

  /** Can something precede the result? */
  get streams(): boolean {
    return this.#accepts.stream;
  }

  /** It didn't come in the same turn: from now on the client may go, and proxies may want a sign of life. */
  wait(): void {
    if (this.#stream) return;
    this.#streams.silent.add(this);
    this.carrier.onGone(() => {
      if (this.#stream) return;
      this.#streams.silent.delete(this);
      this.#owner.left();
    });
  }

  /** Sends what precedes the result. Where the client takes no event stream, it does without. */
  precede(text: string): void | Promise<void> {
    return this.#begin()?.send(text);
  }

  finish(text: string, status: number): void {
    this.#streams.silent.delete(this);
    if (this.#accepts.json && !this.#stream && !this.#refused)
      return this.carrier.answer(status, { "Content-Type": JSON_TYPE }, text);
    const stream = this.#begin();
    void stream?.send(text);
    stream?.end();
  }

  /** There will be no result, and `why`; nothing more is to be said where the client has cancelled the call. */
  abandon(why?: Refusal): void {
    this.#streams.silent.delete(this);
    if (this.#stream) this.#stream.end();
    else if (why && !this.#refused) refuse(this.carrier, why, undefined);
    else if (!this.#refused) this.carrier.answer(202, {});
    this.#refused = true;
  }

  poll(retry?: number): boolean {
    return this.#resumables?.primed === true && this.#begin()?.poll(retry) === true;
  }

  due(): void {
    this.#begin()?.due();
  }

  #begin(): EventStream | undefined {
    if (this.#stream || !this.#accepts.stream || this.#refused) return this.#stream;
    this.#streams.silent.delete(this);
    const resumable = this.#resumables?.next("request");
    const stream = new EventStream(this.#streams, this.#owner, resumable);
    if (stream.attach(this.carrier)) {
      if (resumable) this.#resumables!.add(stream, resumable);
      return (this.#stream = stream);
    }
    this.#refused = true;
    refuse(this.carrier, TOO_MANY_STREAMS, undefined);
    this.#owner.left();
    return undefined;
  }
}
