import type { Carrier } from "./carrier.ts";
import type { Auth } from "./verify.ts";

/** What a handler can know of the HTTP request that it answers: its `context.info`. */
export interface HttpInfo {
  readonly [name: string]: unknown;
  /** By lower-case name; several of one name are joined by ", ". With `verify`, the credentials that it has seen are not there. */
  readonly headers: { readonly [name: string]: string | undefined };
  /** Whole, by the `Host` of the request. */
  readonly url: URL;
  /** Who asks: what `verify` gave; undefined without it. */
  readonly auth: Auth | undefined;
  /**
   * Ends the connection of this request's event stream and lets the client come back for the rest after `retry` ms.
   * False, and nothing happens, where the client could not do that.
   */
  poll(retry?: number): boolean;
}

/** Made for each request; its parts are only made when somebody asks. */
export class RequestInfo implements HttpInfo {
  readonly [name: string]: unknown;
  readonly auth: Auth | undefined;
  readonly #carrier: Carrier;
  readonly #poll: ((retry?: number) => boolean) | undefined;

  constructor(carrier: Carrier, auth: Auth | undefined, poll?: (retry?: number) => boolean) {
    this.#carrier = carrier;
    this.auth = auth;
    this.#poll = poll;
  }

  /** Credentials were meant for this server: whoever passes a request's headers on must not pass them on by mistake. */
  get headers(): { readonly [name: string]: string | undefined } {
    const { headers } = this.#carrier;
    if (!this.auth) return headers;
    const { authorization: _token, dpop: _proof, ...others } = headers;
    return others;
  }

  get url(): URL {
    const host = this.#carrier.header("host") ?? this.#carrier.header(":authority") ?? "localhost";
    return new URL(`http://${host}${this.#carrier.target}`);
  }

  poll(retry?: number): boolean {
    return this.#poll?.(retry) ?? false;
  }
}
