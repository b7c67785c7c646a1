import { inserted } from "../discovery/well-known.ts";

interface Described {
  readonly resource: string;
  readonly issuer: string;
  readonly scopes?: readonly string[] | undefined;
  readonly name?: string | undefined;
  readonly dpop?: boolean | undefined;
  readonly metadata?: { readonly [member: string]: unknown } | undefined;
}

/** What a server says of itself (RFC 9728), and ways to say it. */
export interface Metadata {
  /** Where the document is. */
  readonly url: string;
  readonly document: { readonly [member: string]: unknown };
  /** Answers a request for the document; undefined for any other. */
  readonly respond: (request: Request) => Response | undefined;
  /** Puts the document before a handler of Request and Response. */
  readonly handler: (
    next: (request: Request) => Promise<Response> | Response,
  ) => (request: Request) => Promise<Response>;
  /** Puts the document before a request listener of node:http. */
  readonly listener: <Incoming extends NodeIncoming, Outgoing extends NodeOutgoing>(
    next: (request: Incoming, response: Outgoing) => void,
  ) => (request: Incoming, response: Outgoing) => void;
}

/** What is used of a request of node:http. */
interface NodeIncoming {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

/** What is used of a response of node:http. */
interface NodeOutgoing {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(text?: string): unknown;
}

/** Makes the document of a server. Throws a TypeError for addresses that can't be right. */
export function metadataOf({ resource, issuer, scopes, name, dpop, metadata }: Described): Metadata {
  const { hash, protocol } = new URL(resource);
  if ((protocol !== "https:" && protocol !== "http:") || hash !== "")
    throw new TypeError(`resource must be the address of the server, without a fragment; got ${resource}`);
  const url = inserted(new URL(resource), "oauth-protected-resource");
  const document = {
    ...metadata,
    resource,
    authorization_servers: [issuer],
    ...(scopes && scopes.length > 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ["header"],
    ...(name !== undefined && { resource_name: name }),
    ...(dpop && { dpop_bound_access_tokens_required: true }),
  };
  const { pathname } = new URL(url);
  const answer = answering(JSON.stringify(document));
  const answerTo = (method = "GET", path: string): Answer | undefined =>
    path === pathname ? answer(method) : undefined;
  const respond = ({ method, url: address }: Request): Response | undefined => {
    const found = answerTo(method, new URL(address).pathname);
    return found && new Response(found.body ?? null, { status: found.status, headers: found.headers });
  };
  return {
    url,
    document,
    respond,
    handler: (next) => async (request) => respond(request) ?? (await next(request)),
    listener: (next) => (request, response) => {
      const found = answerTo(request.method, (request.url ?? "/").replace(/\?.*$/s, ""));
      if (!found) return next(request, response);
      response.writeHead(found.status, { ...found.headers });
      response.end(found.body);
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string | undefined;
}

/** Anybody may read the document, from any web page. */
function answering(body: string): (method: string) => Answer {
  const open = { "Access-Control-Allow-Origin": "*" };
  const fields = { ...open, "Content-Type": "application/json", "Cache-Control": "public, max-age=3600" };
  return (method) => {
    if (method === "GET") return { status: 200, headers: fields, body };
    if (method === "HEAD") return { status: 200, headers: fields };
    const allowed = { ...open, "Access-Control-Allow-Methods": "GET", "Access-Control-Allow-Headers": "*" };
    return method === "OPTIONS"
      ? { status: 204, headers: allowed }
      : { status: 405, headers: { ...open, Allow: "GET, HEAD" } };
  };
}
