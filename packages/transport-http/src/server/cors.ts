import type { Carrier } from "./carrier.ts";

/** Response headers that a web page may read. */
const EXPOSED = "WWW-Authenticate, Retry-After";

/** s for which a browser need not ask again. */
const MAX_AGE = "86400";

/**
 * Lets a web page whose origin has passed the check read the answer (Fetch standard, "CORS protocol"). Any header may
 * be sent: which origin sends it is what counts.
 */
export function allowOrigin(carrier: Carrier, exposed: readonly string[]): void {
  const origin = carrier.header("origin");
  if (origin === undefined) return;
  carrier.setHeader("Access-Control-Allow-Origin", origin);
  carrier.setHeader("Access-Control-Expose-Headers", [EXPOSED, ...exposed].join(", "));
  carrier.setHeader("Vary", "Origin");
}

export const isPreflight = (carrier: Carrier): boolean =>
  carrier.method === "OPTIONS" && carrier.header("access-control-request-method") !== undefined;

export function answerPreflight(carrier: Carrier, methods: string): void {
  carrier.setHeader("Access-Control-Allow-Methods", methods);
  const asked = carrier.header("access-control-request-headers");
  // An asterisk would leave out Authorization.
  if (asked !== undefined) carrier.setHeader("Access-Control-Allow-Headers", asked);
  carrier.setHeader("Access-Control-Max-Age", MAX_AGE);
  carrier.answer(204, {});
}
