import { ClosedError } from "@x/jsonrpc";
import { drop } from "./body.ts";
import { HttpError } from "./errors.ts";
import type { HeaderFields } from "../header-fields.ts";
import type { HttpOptions } from "./options.ts";

export type Method = "POST" | "GET" | "DELETE";

export interface Outgoing {
  readonly headers: HeaderFields;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
}

const MAX_REDIRECTS = 5;

/** HTTP requests to one URL. */
export class Requests {
  readonly #url: URL;
  readonly #options: HttpOptions;

  constructor(url: string | URL, options: HttpOptions) {
    this.#url = new URL(url);
    this.#options = options;
  }

  get url(): URL {
    return this.#url;
  }

  /** What a request is called in errors. A query may be secret. */
  name(method: Method): string {
    return `${method} ${this.#url.origin}${this.#url.pathname}`;
  }

  /**
   * Sends a request and gives the response, whatever its status. Rejects with a ClosedError when there is none, which
   * tells whether the request certainly never left, and with the signal's reason when that is aborted.
   */
  async send(method: Method, { headers, body, signal }: Outgoing, to: URL = this.#url): Promise<Response> {
    const init = { method, headers: await this.#headers(headers), signal, redirect: "manual" as const };
    let url = to;
    for (let hops = 0; ; hops++) {
      const response = await this.#fetch(url, body === undefined ? init : { ...init, body }, method);
      const next = this.#redirect(response, url, method);
      if (!next) return response;
      drop(response);
      if (hops === MAX_REDIRECTS)
        throw new HttpError(`${this.name(method)} leads from redirect to redirect`, response, "");
      url = next;
    }
  }

  async #headers(own: HeaderFields): Promise<HeaderFields> {
    const { headers } = this.#options;
    return merged(typeof headers === "function" ? await headers() : headers, own);
  }

  async #fetch(url: URL, init: RequestInit, method: Method): Promise<Response> {
    try {
      // Not every function in the place of fetch looks.
      init.signal?.throwIfAborted();
      const { fetch = globalThis.fetch } = this.#options;
      return await fetch(url.href, init);
    } catch (error) {
      init.signal?.throwIfAborted();
      throw networkError(`${this.name(method)} failed`, error);
    }
  }

  /**
   * Where to go instead. Only within the origin: what is in the headers and the body was meant for nobody else. The
   * method stays what it is, since a call that has become a GET is none.
   */
  #redirect(response: Response, url: URL, method: Method): URL | undefined {
    const opaque = response.type === "opaqueredirect";
    if (!opaque && ![301, 302, 307, 308].includes(response.status)) return undefined;
    const location = response.headers.get("location");
    if (opaque || location === null || !URL.canParse(location, url.href)) {
      drop(response);
      throw new HttpError(`${this.name(method)} was redirected; give the final URL instead`, response, "");
    }
    const next = new URL(location, url);
    if (next.origin === url.origin) return next;
    drop(response);
    throw new HttpError(`${this.name(method)} was redirected to ${next.origin}, which is not followed`, response, "");
  }
}

/** Both, where a name that both have is `last`'s, however it is spelt: two spellings would be sent as one list. */
export function merged(first: HeaderFields | undefined, last: HeaderFields): HeaderFields {
  if (!first) return last;
  const taken = new Set(Object.keys(last).map((name) => name.toLowerCase()));
  const kept = Object.entries(first).filter(([name]) => !taken.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...last };
}

/** Failures after which nothing can have reached the server. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function networkError(what: string, error: unknown): ClosedError {
  const { cause } = error as { cause?: { code?: unknown; message?: string } };
  const code = typeof cause?.code === "string" ? cause.code : "";
  // Where several addresses were tried the cause has a code and no text.
  const reason = cause?.message || code || (error instanceof Error ? error.message : String(error));
  return new ClosedError(`${what}: ${reason}`, { cause: error, sent: !NEVER_SENT.has(code) });
}
