import type { Batch, Message } from "@x/jsonrpc";
import type { Carrier } from "./carrier.ts";
import { OldSession } from "./old-session.ts";
import { type Refusal, refusal, refuse } from "./refusal.ts";
import type { Site } from "./site.ts";
import type { Auth } from "./verify.ts";

/** Clients of HTTP+SSE (MCP 2024-11-05, basic/transports), who share the URL with the others. */
export class OldClients {
  readonly #site: Site;
  readonly #byId = new Map<string, OldSession>();

  constructor(site: Site) {
    this.#site = site;
  }

  get all(): IterableIterator<OldSession> {
    return this.#byId.values();
  }

  /** The connection that a POST names; undefined where it is of another kind of client. */
  idIn(carrier: Carrier): string | undefined {
    return /[?&]sessionId=([\w-]+)/.exec(carrier.target)?.[1];
  }

  listen(carrier: Carrier, auth: Auth | undefined): void {
    const session = new OldSession(this.#site.streams, auth?.principal, () => this.#byId.delete(session.id));
    session.connection = this.#site.server.connect(session, this.#site.peer);
    this.#byId.set(session.id, session);
    if (!session.listen(carrier)) void session.connection.close();
  }

  post(id: string, message: Message | Batch, carrier: Carrier, auth: Auth | undefined): void {
    const session = this.#byId.get(id);
    if (!session || session.principal !== auth?.principal) return refuse(carrier, UNKNOWN, undefined);
    const verdict = this.#site.protocol.join(message, session.connection);
    if (verdict instanceof Promise) void verdict.then(() => session.post(message, carrier, auth));
    else if (verdict) refuse(carrier, verdict, undefined);
    else session.post(message, carrier, auth);
  }
}

const UNKNOWN: Refusal = refusal(404, "There is no such connection, or it has ended");
