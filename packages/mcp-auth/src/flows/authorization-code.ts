import type { Flow } from "../flow.ts";
import { prepare } from "./pending.ts";
import { redeem } from "./redeem.ts";
import { safeRedirect } from "./redirect-uri.ts";

/** A place to which a person comes back from logging in. */
export interface Reception {
  /** https, or http on this machine. */
  readonly redirectUri: string;
  /**
   * Sends a person to `page` and gives the address to which they come back, query included. One whose query has another
   * `state` belongs to something else. `signal` is aborted when nobody waits any more.
   */
  visit(page: string, state: string, signal: AbortSignal): Promise<string | URL>;
  /** Called when all is over. */
  close?(): void | Promise<void>;
}

/** What there is to know before a place is chosen. */
export interface Visit {
  /** Shown to the person. */
  readonly clientName: string;
  /** Where the client is registered to be sent back to. */
  readonly known: readonly string[];
}

/**
 * A person logs in on a page of the authorization server (OAuth 2.1 section 4.1, with PKCE). `open` prepares the place to
 * which they come back.
 */
export function authorizationCode(open: (visit: Visit) => Reception | Promise<Reception>): Flow {
  return {
    attended: true,
    async run(authorization) {
      const known = await authorization.knownRedirects();
      const reception = await open({ clientName: authorization.clientName, known });
      try {
        const pending = await prepare(authorization, safeRedirect(reception.redirectUri));
        const back = await reception.visit(pending.page, pending.state, authorization.signal);
        return await redeem(authorization, pending, new URL(back).searchParams);
      } finally {
        await reception.close?.();
      }
    },
  };
}
