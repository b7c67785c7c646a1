import { type AuthorizationServer, findServer } from "../discovery/authorization-server.ts";
import type { Fetch } from "../fetch.ts";
import { Outside } from "../outside.ts";
import { Trust } from "../trust.ts";

/** ms for which an issuer that is ill is left alone: whoever makes up tokens would have it asked for each. */
export const REST = 1000;

/** The authorization server of a protected server, which an administrator has chosen. */
export class Issuer {
  readonly outside: Outside;
  readonly #issuer: string;
  #metadata: Promise<AuthorizationServer> | undefined;
  /** When the metadata could not be had. */
  #failed: number | undefined;

  /** `remedy` is the option that tells what is else found in the metadata. */
  constructor(issuer: string, remedy: string, fetch: Fetch = globalThis.fetch) {
    this.outside = new Outside(fetch, new Trust(new URL(issuer), {}, remedy));
    this.#issuer = issuer;
  }

  /** Asked for once; after a failure again. */
  async metadata(): Promise<AuthorizationServer> {
    if (!this.#metadata || (this.#failed !== undefined && performance.now() - this.#failed > REST)) {
      this.#failed = undefined;
      this.#metadata = findServer(this.outside, this.#issuer);
      this.#metadata.catch(() => (this.#failed = performance.now()));
    }
    return await this.#metadata;
  }
}
