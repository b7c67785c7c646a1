import {
  type Batch,
  type ErrorOrigin,
  type Failure,
  METHOD_NOT_FOUND,
  type Message,
  type Notification,
  type Request,
  type Response,
  type Success,
} from "@x/jsonrpc";
import { HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION } from "../errors.ts";
import { type Meta, PROTOCOL_VERSION, metaOf } from "../model/meta.ts";
import type { ListToolsResult, Tool } from "../model/tools.ts";
import type { Revision } from "../revisions/index.ts";
import { encodeHeader } from "./encoding.ts";
import { httpFacts } from "./facts.ts";
import { METHOD_HEADER, NAME_HEADER, SESSION_HEADER, VERSION_HEADER } from "./headers.ts";
import { type MirroredParameter, mirrorHeaders, mirroredParameters } from "./mirror.ts";

type Headers = { readonly [name: string]: string };

/** Pages that are fetched to find how a tool's headers have changed. */
const MAX_PAGES = 100;

/**
 * What an HTTP client has to know of MCP. It satisfies the interface `ClientProtocol` of @x/transport-http, which says
 * who calls what; `connect` gives it to a transport that asks for such.
 */
export class ClientHttp {
  readonly sessionHeader: string = SESSION_HEADER;
  /** Called when a new session has taken the place of a lost one, so that what the old one knew can be said again. */
  onReopened: (() => void) | undefined;
  readonly #revisions: readonly Revision[];
  readonly #report: (error: unknown, origin: ErrorOrigin) => void;
  /** What a handshake has settled. */
  #agreed: Revision | undefined;
  /** What the last stateless request was sent under: notifications don't say it themselves. */
  #claimed: string | undefined;
  /** Of the tools that have been listed, by name, as they were listed last. */
  readonly #mirrored = new Map<string, readonly MirroredParameter[]>();
  #lists = 0;

  /** `report` hears of tools that are left out. */
  constructor(revisions: readonly Revision[], report: (error: unknown, origin: ErrorOrigin) => void = () => {}) {
    this.#revisions = revisions;
    this.#report = report;
  }

  passage(message: Message | Batch): "alone" | "opens" | "ready" | "within" {
    if (isOne(message) && "method" in message) {
      if (claimOf(message) !== undefined) return "alone";
      if (message.method === "initialize") return "opens";
      if (message.method === "notifications/initialized") return "ready";
    }
    return this.#agreed ? "within" : "alone";
  }

  headers(message?: Message | Batch): Headers {
    if (message && isOne(message) && "method" in message) {
      const claim = claimOf(message);
      if (typeof claim === "string") return this.#headersUnder((this.#claimed = claim), message);
      if (message.method === "initialize") return {};
      if (!this.#agreed && this.#claimed !== undefined) return this.#headersUnder(this.#claimed, message);
    }
    return this.#agreed && httpFacts(this.#agreed).versioned ? { [VERSION_HEADER]: this.#agreed.version } : {};
  }

  answered(request: Request, answer: Response): Response {
    if (!("result" in answer)) return answer;
    const { method } = request;
    const result = answer.result as { readonly protocolVersion?: unknown } | null;
    if (method === "initialize")
      this.#agreed = this.#revisions.find(({ version }) => version === result?.protocolVersion);
    const mirrors = method === "tools/list" && this.#mirrors(claimOf(request));
    return mirrors ? this.#listed(answer) : answer;
  }

  /** Headers that don't mirror the arguments come from a tool that has changed since it was listed, or never was. */
  cure(request: Request, failure: Failure): Generator<Request, boolean, Response | undefined> | undefined {
    const mirrors = this.#mirrors(claimOf(request));
    return failure.error.code === HEADER_MISMATCH && request.method === "tools/call" && mirrors
      ? this.#listAnew(request)
      : undefined;
  }

  isCurrent({ error }: Failure): boolean {
    return CURRENT.has(error.code);
  }

  reopened(): void {
    this.onReopened?.();
  }

  #headersUnder(version: string, { method, params }: Request | Notification): Headers {
    const mirrored = this.#mirrors(version);
    if (!mirrored) return { [VERSION_HEADER]: version };
    const parameter = Object.hasOwn(mirrored, method) ? mirrored[method] : undefined;
    const values = (params ?? {}) as { readonly [name: string]: unknown };
    const name = parameter === undefined ? undefined : values[parameter];
    const tool = method === "tools/call" && typeof name === "string" ? this.#mirrored.get(name) : undefined;
    return {
      ...(tool && mirrorHeaders(tool, values["arguments"])),
      [VERSION_HEADER]: version,
      [METHOD_HEADER]: method,
      ...(typeof name === "string" ? { [NAME_HEADER]: encodeHeader(name) } : undefined),
    };
  }

  /** Learns how tools are called, and leaves out those that can't be. */
  #listed(answer: Success): Success {
    const result = answer.result as ListToolsResult;
    if (!Array.isArray(result?.tools)) return answer;
    const tools = (result.tools as readonly Tool[]).filter((tool) => this.#learn(tool));
    return tools.length === result.tools.length ? answer : { ...answer, result: { ...result, tools } };
  }

  /** Takes what a server says of a tool, right or wrong. */
  #learn(tool: Tool | null): boolean {
    const { name, inputSchema } = (tool ?? {}) as Tool;
    try {
      this.#mirrored.set(name, mirroredParameters(inputSchema));
      return true;
    } catch (error) {
      this.#mirrored.delete(name);
      this.#report(new Error(`The tool ${JSON.stringify(name)} is left out: ${(error as Error).message}`), "message");
      return false;
    }
  }

  *#listAnew(request: Request): Generator<Request, boolean, Response | undefined> {
    const name = (request.params as { readonly name?: unknown } | undefined)?.name as string;
    this.#mirrored.delete(name);
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page++) {
      const answer = yield this.#listRequest(request, cursor);
      if (this.#mirrored.has(name)) return true;
      cursor = answer && "result" in answer ? (answer.result as ListToolsResult).nextCursor : undefined;
      if (typeof cursor !== "string") return false;
    }
    return false;
  }

  #listRequest({ params }: Request, cursor: unknown): Request {
    const { progressToken: _, ..._meta } = metaOf(params) as Meta;
    return {
      jsonrpc: "2.0",
      id: `headers-${++this.#lists}`,
      method: "tools/list",
      params: cursor === undefined ? { _meta } : { cursor, _meta },
    };
  }

  /** What is mirrored into headers in the version that a message claims; undefined where nothing is. */
  #mirrors(version: unknown): ReturnType<typeof httpFacts>["mirrored"] {
    const revision = this.#revisions.find((each) => each.version === version);
    return revision && httpFacts(revision).mirrored;
  }
}

/** Errors that only a server sends which needs no handshake. */
const CURRENT = new Set([HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION, METHOD_NOT_FOUND]);

const isOne = (message: Message | Batch): message is Message => !Array.isArray(message);

/** The protocol version that a message says it is under. */
const claimOf = (message: { readonly params?: unknown }): unknown => metaOf(message.params)?.[PROTOCOL_VERSION];
