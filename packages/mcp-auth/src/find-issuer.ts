import { whereaboutsOf } from "./discovery/whereabouts.ts";
import type { Fetch } from "./fetch.ts";
import { Outside } from "./outside.ts";
import { Trust, type TrustOptions } from "./trust.ts";

/**
 * The issuer that a server names as the one whose tokens it takes. To give it a secret because of that is to trust the
 * server with the secret.
 */
export async function findIssuer(
  server: string | URL,
  { fetch = globalThis.fetch, ...options }: TrustOptions & { readonly fetch?: Fetch | undefined } = {},
): Promise<string> {
  const url = new URL(server);
  const outside = new Outside(fetch, new Trust(url, options));
  return (await whereaboutsOf(outside, url, undefined, {})).issuer;
}
