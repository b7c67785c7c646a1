import { type JsonObject, drop, objectIn, textOf } from "./body.ts";
import { AuthError, type Step, quote } from "./error.ts";
import type { Fetch } from "./fetch.ts";
import type { Trust } from "./trust.ts";

const TIMEOUT = 30_000;
const MAX_REDIRECTS = 3;

/** A document, if there is one. */
export interface Found {
  readonly status: number;
  readonly document?: JsonObject | undefined;
  /** When it was sent, by the clock of the server itself. */
  readonly date?: string | undefined;
}

/** Requests to everybody whose address a server has named. */
export class Outside {
  readonly trust: Trust;
  readonly #fetch: Fetch;
  readonly #timeout: number;

  constructor(fetch: Fetch, trust: Trust, timeout: number = TIMEOUT) {
    this.#fetch = fetch;
    this.trust = trust;
    this.#timeout = timeout;
  }

  /** The same, seen from another place. */
  nearTo(home: URL): Outside {
    return new Outside(this.#fetch, this.trust.nearTo(home), this.#timeout);
  }

  /** Sends a request to an address that may be asked. Rejects with an AuthError when there is no answer. */
  async send(step: Step, address: string | URL, init: RequestInit): Promise<Response> {
    const url = await this.trust.check(step, address);
    // Not as a method: browsers want no `this`.
    const fetch = this.#fetch;
    try {
      return await fetch(url.href, { redirect: "manual", ...init, signal: AbortSignal.timeout(this.#timeout) });
    } catch (cause) {
      throw new AuthError(step, url, `expected an answer, got ${reasonOf(cause, this.#timeout)}`, { cause });
    }
  }

  /**
   * Gets a JSON document. Refusals (any 4xx, and the 502 of a proxy without a server) mean that there is none, but 429,
   * which says nothing of that.
   */
  async document(step: Step, address: string, headers?: { readonly [name: string]: string }): Promise<Found> {
    const response = await this.#get(step, address, { Accept: "application/json", ...headers });
    const { status } = response;
    if (!response.ok) {
      drop(response);
      if ((status >= 400 && status < 500 && status !== 429) || status === 502) return { status };
      throw new AuthError(step, address, `expected a document, got status ${status}`);
    }
    const document = objectIn(await this.read(step, address, response));
    const { headers: fields } = response;
    // What comes out of a cache has the date on which it went in.
    return { status, document, date: fields.has("age") ? undefined : (fields.get("date") ?? undefined) };
  }

  /** A body as text. */
  async read(step: Step, address: string, response: Response): Promise<string> {
    const text = await textOf(response).catch((cause: unknown) => {
      throw new AuthError(step, address, `expected a body, got ${reasonOf(cause, this.#timeout)}`, { cause });
    });
    if (text === undefined) throw new AuthError(step, address, "expected a body of at most 1 MiB, got a longer one");
    return text;
  }

  /** Each target of a redirect is checked like the first address. */
  async #get(step: Step, address: string, headers: { readonly [name: string]: string }): Promise<Response> {
    let url = address;
    for (let hops = 0; ; hops++) {
      const response = await this.send(step, url, { headers });
      // Browsers don't show where a redirect leads, and guard by themselves where they follow it.
      if (response.type === "opaqueredirect") return await this.send(step, url, { headers, redirect: "follow" });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || location === null) return response;
      drop(response);
      if (hops === MAX_REDIRECTS) throw new AuthError(step, address, `expected a document, got ${hops + 1} redirects`);
      if (!URL.canParse(location, url))
        throw new AuthError(step, url, `expected a document, got a redirect to ${quote(location)}`);
      url = new URL(location, url).href;
    }
  }
}

function reasonOf(error: unknown, timeout: number): string {
  if (!(error instanceof Error)) return quote(String(error));
  if (error.name === "TimeoutError") return `none within ${timeout} ms`;
  const { message, cause } = error as { message: string; cause?: { message?: unknown; code?: unknown } };
  return quote(String(cause?.message || cause?.code || message));
}
