import type { Outside } from "../outside.ts";
import { type AuthorizationServer, findOldServer, findServer } from "./authorization-server.ts";

/** ms for which metadata is not asked for again. */
const FRESH = 10 * 60 * 1000;

/** The metadata of authorization servers, kept for a while. */
export class Issuers {
  readonly #outside: Outside;
  readonly #known = new Map<string, { readonly server: AuthorizationServer; readonly until: number }>();

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /** `old` where the issuer is the origin of a server that has no metadata of its own. */
  async get(issuer: string, old: boolean): Promise<AuthorizationServer> {
    const known = this.#known.get(issuer);
    if (known && known.until > Date.now()) return known.server;
    const server = await (old ? findOldServer(this.#outside, new URL(issuer)) : findServer(this.#outside, issuer));
    this.#known.set(issuer, { server, until: Date.now() + FRESH });
    return server;
  }
}
