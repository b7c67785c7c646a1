import { type Batch, Invalid, type Message, parse } from "@x/jsonrpc";
import type { Carrier } from "./carrier.ts";
import { Exchange } from "./exchange.ts";
import { type Accepts, acceptsOf } from "./media.ts";
import type { OldClients } from "./old-clients.ts";
import type { StreamableOptions } from "./options.ts";
import type { Carriage, Connection } from "./protocol.ts";
import { NOT_LOADED, type Refusal, notAllowed, refusal, refuse } from "./refusal.ts";
import type { Resource } from "./resource.ts";
import { Ring } from "./ring.ts";
import type { Sessions } from "./sessions.ts";
import type { Site } from "./site.ts";
import { type Auth, forbid } from "./verify.ts";

/** Streamable HTTP: single exchanges and sessions at one URL (MCP, basic/transports, from 2025-03-26 on). */
export class Streamable implements Resource {
  readonly methods: string;
  readonly exposed: readonly string[];
  readonly unread = undefined;
  readonly #site: Site;
  readonly #exchanges = new Ring<Exchange>();
  readonly #old: OldClients | undefined;
  readonly #options: StreamableOptions;
  /** Names a session; undefined where there are none. */
  readonly #header: string | undefined;
  /** Loaded when a client first speaks of one. */
  #sessions: Sessions | undefined;
  #loading: Promise<void> | undefined;

  constructor(site: Site, options: StreamableOptions, old: OldClients | undefined) {
    const { sessionHeader } = site.protocol;
    this.#site = site;
    this.#options = options;
    this.#old = old;
    this.#header = options.sessions === false ? undefined : sessionHeader;
    this.methods = this.#header !== undefined ? "POST, GET, DELETE" : old ? "POST, GET" : "POST";
    this.exposed = sessionHeader === undefined ? [] : [sessionHeader];
  }

  post(carrier: Carrier, text: string, auth: Auth | undefined): void {
    const message = wellFormed(parse(text));
    if (message instanceof Invalid)
      return refuse(carrier, { status: 400, error: message.error, id: message.id }, undefined);
    const forbidden = forbid(auth, message);
    if (forbidden) return refuse(carrier, forbidden, undefined);
    const old = this.#old?.idIn(carrier);
    if (old !== undefined) return this.#old!.post(old, message, carrier, auth);
    const carriage = this.#site.protocol.admit(message, carrier);
    if (typeof carriage === "object") return refuse(carrier, carriage, undefined);
    const accepts = acceptsOf(carrier.header("accept"));
    if (carriage === "alone") this.#exchange(message, carrier, takesAny(accepts) ? accepts : EITHER, auth, carriage);
    else if (!takesAny(accepts)) refuse(carrier, NOT_ACCEPTABLE, undefined);
    else if (this.#header === undefined) this.#exchange(message, carrier, accepts, auth, carriage);
    else if (this.#sessions) this.#sessions.take(carriage, message, carrier, accepts, auth);
    else this.#load(carrier, (sessions) => sessions.take(carriage, message, carrier, accepts, auth));
  }

  get(carrier: Carrier, auth: Auth | undefined): void {
    const header = this.#header;
    if (header === undefined && !this.#old) refuse(carrier, notAllowed("GET", this.methods), undefined);
    else if (!acceptsOf(carrier.header("accept")).stream) refuse(carrier, NOT_ACCEPTABLE, undefined);
    else if (this.#old && (header === undefined || carrier.header(header) === undefined))
      this.#old.listen(carrier, auth);
    else this.#load(carrier, (sessions) => sessions.listen(carrier, auth));
  }

  delete(carrier: Carrier, auth: Auth | undefined): void {
    if (this.#header !== undefined) this.#load(carrier, (sessions) => sessions.end(carrier, auth));
    else refuse(carrier, notAllowed("DELETE", this.methods), undefined);
  }

  async close(deadline: number): Promise<void> {
    const { protocol } = this.#site;
    await this.#loading;
    for (const { single } of this.#exchanges.members()) protocol.finish(single);
    for (const { connection } of this.#connected()) protocol.finish(connection);
    await this.#site.quiet(() => !this.#exchanges.empty || this.#connected().some(({ busy }) => busy), deadline);
    const reason = new Error("The server has closed");
    for (const exchange of this.#exchanges.members()) exchange.close(reason);
    await Promise.all(this.#connected().map(({ connection }) => connection.close(reason)));
  }

  #connected(): readonly { readonly connection: Connection; readonly busy: boolean }[] {
    return [...(this.#sessions?.all ?? []), ...(this.#old?.all ?? [])];
  }

  /** Goes on at once where sessions have been loaded. */
  #load(carrier: Carrier, use: (sessions: Sessions) => void): void {
    if (this.#sessions) return use(this.#sessions);
    this.#loading = import("./sessions.ts").then(
      ({ Sessions }) => {
        this.#sessions ??= new Sessions(this.#site, this.#header!, this.#options.sessions || {});
        use(this.#sessions);
      },
      (error: unknown) => {
        this.#options.onError?.(error, "transport");
        refuse(carrier, NOT_LOADED, undefined);
      },
    );
  }

  #exchange(
    message: Message | Batch,
    carrier: Carrier,
    accepts: Accepts,
    auth: Auth | undefined,
    carriage: Carriage,
  ): void {
    new Exchange(this.#site, this.#exchanges, carrier, accepts, carriage).run(message, auth);
  }
}

const EITHER: Accepts = { json: true, stream: true };

const takesAny = ({ json, stream }: Accepts): boolean => json || stream;

const NOT_ACCEPTABLE: Refusal = refusal(406, "Accept must list application/json or text/event-stream");

/** A batch of which one member makes no sense is refused whole: its answer would have no id to be told by. */
function wellFormed(incoming: ReturnType<typeof parse>): Message | Batch | Invalid {
  if (!Array.isArray(incoming)) return incoming;
  return incoming.find((member) => member instanceof Invalid) ?? (incoming as Batch);
}
