import {
  type ErrorObject,
  INVALID_PARAMS,
  INVALID_REQUEST,
  type Id,
  type InboundOptions,
  METHOD_NOT_FOUND,
  type Message,
  PARSE_ERROR,
  type Request,
  type Way,
} from "@x/jsonrpc";
import { HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION } from "../errors.ts";
import { CLIENT_CAPABILITIES, type Meta, PROTOCOL_VERSION, metaOf } from "../model/meta.ts";
import { refuse } from "../profile.ts";
import { type LifecycleName, type Revision, revisionsOf } from "../revisions/index.ts";
import type { Connection, ServerCore } from "../server/contract.ts";
import { methodFor } from "../server/serve.ts";
import { servedBy } from "../server/served.ts";
import type { Session } from "../server/session.ts";
import { Single } from "../server/single.ts";
import { httpFacts } from "./facts.ts";
import { METHOD_HEADER, NAME_HEADER, SESSION_HEADER, VERSION_HEADER } from "./headers.ts";
import { decodeHeader } from "./encoding.ts";
import { type MirroredParameter, mirrorFault } from "./mirror.ts";

/** The headers of an HTTP request, by lower-case name. */
export interface HttpHeaders {
  header(name: string): string | undefined;
}

/** Why an HTTP request is not served. */
export interface HttpRefusal {
  readonly status: number;
  readonly error: ErrorObject;
  readonly id?: Id | undefined;
}

/** What these facts are drawn from, besides what connections know. */
export interface HttpSource {
  readonly server: ServerCore;
  /** The parameters of a tool that are mirrored into headers. */
  mirrored(tool: string): readonly MirroredParameter[] | undefined;
  /** Ends what stays open on a connection, or in an exchange, by itself. */
  finish(connection: Connection): void;
}

/** Members of a batch. */
const MAX_BATCH = 1000;

/** ms that a request waits for the `notifications/initialized` that it has overtaken. */
const PATIENCE = 1000;

/**
 * What an HTTP server has to know of MCP: what `http` of an `McpServer` gives. It satisfies the interface `Protocol` of
 * @x/transport-http, which says who calls what.
 */
export class ServerHttp {
  readonly sessionHeader: string | undefined;
  readonly #source: HttpSource;
  readonly #server: ServerCore;
  readonly #revisions: readonly Revision[];
  readonly #handshake: readonly Revision[];

  constructor(source: HttpSource) {
    this.#source = source;
    this.#server = source.server;
    this.#revisions = servedBy(this.#server);
    this.#handshake = revisionsOf("handshake", this.#revisions);
    this.sessionHeader = this.#handshake.length > 0 ? SESSION_HEADER : undefined;
  }

  /** What a message claims in its `_meta` comes first, then the version header; without either it belongs to a session. */
  admit(message: Message | readonly Message[], request: HttpHeaders): "alone" | "opens" | "within" | HttpRefusal {
    if (Array.isArray(message)) return this.#admitBatch(message, request);
    const one = message as Message;
    if (!("method" in one)) return this.#admitWithin(one, request);
    const malformed = "id" in one ? refuse(one) : undefined;
    if (malformed !== undefined) return refusal(INVALID_REQUEST, `Invalid Request: ${malformed}`, idOf(one));
    const meta = metaOf(one.params);
    const version = meta?.[PROTOCOL_VERSION];
    if (version === undefined) return this.#admitWithin(one, request);
    return ("id" in one ? this.#refuseAlone(one, meta!, version, request) : undefined) ?? "alone";
  }

  /** Batches are only for revisions that have them; requests must not overtake the end of the handshake. */
  join(message: Message | readonly Message[], session: Session): HttpRefusal | Promise<void> | undefined {
    if (Array.isArray(message)) {
      if (!session.client?.revision.batches)
        return refusal(INVALID_REQUEST, "Invalid Request: batches are not part of this session's protocol version");
      if (message.length > MAX_BATCH)
        return refusal(INVALID_REQUEST, `Invalid Request: a batch of more than ${MAX_BATCH} messages`);
    }
    if (session.initialized || !session.client || session.server.options.lifecycle === "lenient") return undefined;
    const waits = (Array.isArray(message) ? message : [message]).some(
      (each: Message) => "method" in each && "id" in each && each.method !== "ping",
    );
    return waits ? untilInitialized(session) : undefined;
  }

  /** Where sessions are off: the version that the header names, or the one that came before the header. */
  assume(single: Single, request: HttpHeaders): void {
    const version = request.header(VERSION_HEADER);
    const unnamed = this.#handshake.find((each) => !httpFacts(each).versioned) ?? this.#handshake[0];
    const revision = this.#handshake.find((each) => each.version === version) ?? unnamed;
    if (!revision) return;
    single.client = { revision, info: undefined, capabilities: {} };
    single.initialized = true;
  }

  exchange(way: Way, options: InboundOptions): Single {
    return new Single(this.#server, way, options);
  }

  status(code: number, carriage: "alone" | "opens" | "within"): number {
    return STATUS[carriage === "alone" ? "stateless" : "handshake"][code] ?? 200;
  }

  polls(session: Session): boolean {
    return session.client ? httpFacts(session.client.revision).polling : false;
  }

  finish(connection: Session | Single): void {
    this.#source.finish(connection);
  }

  /** In the order of the readings: `_meta`, headers against it, version, method, missing headers, mirrored arguments. */
  #refuseAlone(request: Request, meta: Meta, version: unknown, headers: HttpHeaders): HttpRefusal | undefined {
    const { id, method } = request;
    const claim = claimFault(version, meta[CLIENT_CAPABILITIES]);
    if (claim !== undefined) return refusal(INVALID_PARAMS, claim, id);
    const named = headers.header(VERSION_HEADER);
    if (named !== undefined && named !== version)
      return mismatch(`${VERSION_HEADER} is ${JSON.stringify(named)}, but _meta says ${JSON.stringify(version)}`, id);
    const revision = this.#server.stateless.find((each) => each.version === version);
    // The server itself refuses a version that it doesn't speak.
    if (!revision) return undefined;
    const fault = this.#headerFault(request, revision, headers);
    // So does it a method that it doesn't have, and that comes before what is missing.
    if (fault === undefined || (fault.missing && !methodFor(this.#server, method, revision))) return undefined;
    return mismatch(fault.message, id);
  }

  #headerFault({ method, params }: Request, revision: Revision, headers: HttpHeaders): Fault | undefined {
    const { mirrored: names } = httpFacts(revision);
    if (!names) return undefined;
    const said = headers.header(METHOD_HEADER);
    if (said !== undefined && said !== method)
      return wrong(`${METHOD_HEADER} is ${JSON.stringify(said)}, but the method is ${JSON.stringify(method)}`);
    if (headers.header(VERSION_HEADER) === undefined) return missing(VERSION_HEADER);
    if (said === undefined) return missing(METHOD_HEADER);
    const parameter = Object.hasOwn(names, method) ? names[method] : undefined;
    const name = parameter === undefined ? undefined : (params as { [name: string]: unknown })[parameter];
    // A name that is none is for the method to refuse.
    if (typeof name !== "string") return undefined;
    const header = headers.header(NAME_HEADER);
    if (header === undefined) return missing(NAME_HEADER);
    if (header !== name && decodeHeader(header) !== name)
      return wrong(`${NAME_HEADER} is ${JSON.stringify(header)}, but ${parameter} is ${JSON.stringify(name)}`);
    const mirrored = method === "tools/call" ? this.#source.mirrored(name) : undefined;
    if (!mirrored || mirrored.length === 0) return undefined;
    const args = (params as { arguments?: unknown }).arguments;
    const fault = mirrorFault(mirrored, args, (each) => headers.header(each));
    return fault === undefined ? undefined : wrong(fault);
  }

  /** A message without a claim in `_meta`. */
  #admitWithin(message: Message, request: HttpHeaders): "alone" | "opens" | "within" | HttpRefusal {
    const id = idOf(message);
    const version = request.header(VERSION_HEADER);
    const isRequest = "method" in message && "id" in message;
    if (isRequest && message.method === "initialize") {
      if (this.#handshake.length > 0) return "opens";
      const { params } = message;
      return this.#unsupported((params as { protocolVersion?: unknown } | undefined)?.protocolVersion, id);
    }
    const revision = version === undefined ? undefined : this.#revision(version);
    if (version !== undefined && !revision) return this.#unsupported(version, id);
    if (revision?.lifecycle !== "stateless" && this.#handshake.length > 0) return "within";
    if (isRequest) return refusal(INVALID_PARAMS, claimFault(undefined, undefined)!, id);
    if ("method" in message) return "alone";
    return refusal(INVALID_REQUEST, "Invalid Request: this protocol version has no responses of the client", id);
  }

  /** Only handshake revisions have batches; in them `initialize` stands alone, and responses don't go with requests. */
  #admitBatch(batch: readonly Message[], request: HttpHeaders): "within" | HttpRefusal {
    const version = request.header(VERSION_HEADER);
    if (batch.length === 0) return refusal(INVALID_REQUEST, "Invalid Request: a batch must not be empty");
    if (version !== undefined && !this.#revision(version)) return this.#unsupported(version, undefined);
    const reason = batchFault(batch);
    if (reason !== undefined) return refusal(INVALID_REQUEST, `Invalid Request: ${reason}`);
    if (this.#handshake.some(({ batches }) => batches)) return "within";
    return refusal(INVALID_REQUEST, "Invalid Request: batches are not part of this protocol");
  }

  #revision(version: string): Revision | undefined {
    return this.#revisions.find((each) => each.version === version);
  }

  #unsupported(requested: unknown, id: Id | undefined): HttpRefusal {
    const supported = this.#revisions.map(({ version }) => version);
    const error = {
      code: UNSUPPORTED_PROTOCOL_VERSION,
      message: `Unsupported protocol version: ${supported.join(", ")} are spoken here`,
      data: { supported, requested: String(requested) },
    };
    return { status: 400, error, id };
  }
}

/** What requests wait for: one promise for all of a session's. */
const initializing = new WeakMap<Session, Promise<void>>();

/** Resolves when the client has said `notifications/initialized`, or when it is late with that. */
function untilInitialized(session: Session): Promise<void> {
  const begun = initializing.get(session);
  if (begun) return begun;
  const initialized = new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(late);
      initializing.delete(session);
      session.onInitialized = undefined;
      resolve();
    };
    const late = setTimeout(done, PATIENCE);
    session.onInitialized = done;
  });
  initializing.set(session, initialized);
  return initialized;
}

/** What is wrong with the headers, and whether it is just that one is missing. */
interface Fault {
  readonly message: string;
  readonly missing: boolean;
}

const wrong = (message: string): Fault => ({ message, missing: false });
const missing = (header: string): Fault => ({ message: `${header} is missing`, missing: true });

/** The statuses of errors; for all others the specification fixes none, and the answer is one like any other. */
const STATUS: { readonly [L in LifecycleName]: { readonly [code: number]: number } } = {
  stateless: {
    [PARSE_ERROR]: 400,
    [INVALID_REQUEST]: 400,
    [METHOD_NOT_FOUND]: 404,
    [HEADER_MISMATCH]: 400,
    [MISSING_CLIENT_CAPABILITY]: 400,
    [UNSUPPORTED_PROTOCOL_VERSION]: 400,
  },
  handshake: { [PARSE_ERROR]: 400, [INVALID_REQUEST]: 400 },
};

const refusal = (code: number, message: string, id?: Id): HttpRefusal => ({
  status: 400,
  error: { code, message },
  id,
});

const mismatch = (message: string, id: Id): HttpRefusal => refusal(HEADER_MISMATCH, `Header mismatch: ${message}`, id);

const idOf = (message: Message): Id | undefined => ("id" in message ? message.id : undefined);

/** What is wrong with what a request says of itself (basic/index, "Per-request metadata"). */
function claimFault(version: unknown, capabilities: unknown): string | undefined {
  if (typeof version !== "string") return `_meta["${PROTOCOL_VERSION}"] must be a string, got ${shown(version)}`;
  if (typeof capabilities === "object" && capabilities !== null) return undefined;
  return `_meta["${CLIENT_CAPABILITIES}"] must be an object, got ${shown(capabilities)}`;
}

const shown = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

function batchFault(batch: readonly Message[]): string | undefined {
  let responses = 0;
  for (const message of batch) {
    if (!("method" in message)) responses++;
    else if (message.method === "initialize") return '"initialize" must not be in a batch';
    else if (metaOf(message.params)?.[PROTOCOL_VERSION] !== undefined)
      return "a stateless request must not be in a batch";
    else if ("id" in message && refuse(message) !== undefined) return refuse(message);
  }
  return responses > 0 && responses < batch.length ? "responses must not be mixed with requests" : undefined;
}
