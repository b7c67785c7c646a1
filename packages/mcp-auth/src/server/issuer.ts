import { type AuthorizationServer, findServer } from "../discovery/authorization-server.ts";
import type { Fetch } from "../fetch.ts";
import { Outside } from "../outside.ts";
import { Trust } from "../trust.ts";

/** The authorization server of a protected server, which an administrator has chosen. */
export class Issuer {
  readonly outside: Outside;
  readonly #issuer: string;
  #metadata: Promise<AuthorizationServer> | undefined;

  constructor(issuer: string, fetch: Fetch = globalThis.fetch) {
    this.outside = new Outside(fetch, new Trust(new URL(issuer), {}));
    this.#issuer = issuer;
  }

  /** Asked for once; after a failure again. */
  async metadata(): Promise<AuthorizationServer> {
    const metadata = (this.#metadata ??= findServer(this.outside, this.#issuer));
    try {
      return await metadata;
    } catch (error) {
      this.#metadata = undefined;
      throw error;
    }
  }
}
