import type { Batch, Message } from "@x/jsonrpc";
import type { Carrier } from "./carrier.ts";
import type { Accepts } from "./media.ts";
import { MAX_SESSIONS, SESSION_IDLE, type SessionOptions } from "./options.ts";
import { type Refusal, STORE_AWAY, TOO_MANY_SESSIONS, refusal, refuse } from "./refusal.ts";
import { Session } from "./session.ts";
import type { Carriage } from "./protocol.ts";
import type { Site } from "./site.ts";
import type { Auth } from "./verify.ts";
import { Watch } from "./watch.ts";

/** The sessions of one endpoint, by id. */
export class Sessions {
  readonly #site: Site;
  readonly #header: string;
  readonly #byId = new Map<string, Session>();
  readonly #watch: Watch<Session>;
  readonly #max: number;

  /** `header` names a session, in requests and in the answer that opens one. */
  constructor(site: Site, header: string, { idle = SESSION_IDLE, max = MAX_SESSIONS }: SessionOptions) {
    this.#site = site;
    this.#header = header;
    this.#watch = new Watch(idle);
    this.#max = max;
  }

  get all(): IterableIterator<Session> {
    return this.#byId.values();
  }

  /** Serves a message that opens a session, or is within one. */
  take(carriage: Carriage, message: Message | Batch, carrier: Carrier, accepts: Accepts, auth: Auth | undefined): void {
    if (carriage === "opens") this.#open(message, carrier, accepts, auth);
    else this.#post(message, carrier, accepts, auth);
  }

  #open(message: Message | Batch, carrier: Carrier, accepts: Accepts, auth: Auth | undefined): void {
    const session = new Session(this.#site, auth?.principal, {
      opened: () => this.#add(session),
      closed: () => this.#delete(session),
    });
    session.connection = this.#site.server.connect(session, this.#site.peer);
    session.post(message, carrier, accepts, auth);
  }

  #post(message: Message | Batch, carrier: Carrier, accepts: Accepts, auth: Auth | undefined): void {
    const session = this.#find(carrier, auth);
    if (!(session instanceof Session)) return refuse(carrier, session, undefined);
    session.looks = 0;
    const verdict = this.#site.protocol.join(message, session.connection);
    if (verdict instanceof Promise) void verdict.then(() => session.post(message, carrier, accepts, auth));
    else if (verdict) refuse(carrier, verdict, undefined);
    else session.post(message, carrier, accepts, auth);
  }

  /** Gives a session's client a stream. */
  listen(carrier: Carrier, auth: Auth | undefined): void {
    const session = this.#find(carrier, auth);
    if (!(session instanceof Session)) return refuse(carrier, session, undefined);
    session.looks = 0;
    session.listeners.open(carrier, carrier.header("last-event-id")).catch((error: unknown) => {
      this.#site.streams.failed(error);
      refuse(carrier, STORE_AWAY, undefined);
    });
  }

  /** Ends a session because its client is done. */
  end(carrier: Carrier, auth: Auth | undefined): void {
    const session = this.#find(carrier, auth);
    if (!(session instanceof Session)) return refuse(carrier, session, undefined);
    void session.connection.close(new Error("The client has ended the session"));
    carrier.answer(204, {});
  }

  /** Another's session is found no more than one that never was. */
  #find(carrier: Carrier, auth: Auth | undefined): Session | Refusal {
    const id = carrier.header(this.#header);
    if (id === undefined) return refusal(400, `The header ${this.#header} is missing`);
    const session = this.#byId.get(id);
    return session && session.principal === auth?.principal ? session : UNKNOWN;
  }

  /** Where there is no room, the session that has been idle longest makes it. */
  #add(session: Session): { readonly header: string } | Refusal {
    if (this.#byId.size >= this.#max) {
      const spare = this.#longestIdle();
      if (!spare) return TOO_MANY_SESSIONS;
      void spare.connection.close(new Error("The session had to make room for another"));
    }
    this.#byId.set(session.id, session);
    this.#watch.add(session);
    return { header: this.#header };
  }

  #delete(session: Session): void {
    this.#byId.delete(session.id);
    this.#watch.delete(session);
    this.#site.answered();
  }

  /** Idleness is counted coarsely: among equals the oldest goes. */
  #longestIdle(): Session | undefined {
    let longest: Session | undefined;
    for (const session of this.#byId.values())
      if (session.idle && (!longest || session.looks > longest.looks)) longest = session;
    return longest;
  }
}

const UNKNOWN: Refusal = refusal(404, "There is no such session, or it has ended; start a new one");
