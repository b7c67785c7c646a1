import { type ClientDescription, registeredOf } from "../client/description.ts";
import type { Outside } from "../outside.ts";
import { canonical, findResource } from "./resource.ts";

/** Which resource a server is, and whose tokens it takes. */
export interface Whereabouts {
  readonly resource: string;
  readonly issuer: string;
  /** True where the server says nothing of itself, as before 2025-06-18. */
  readonly old: boolean;
  /** What it suggests to ask for. */
  readonly scope?: string | undefined;
  readonly dpop: boolean;
}

/** Asks a server who it is. Of several issuers the first is taken that knows the client, else the first. */
export async function whereaboutsOf(
  outside: Outside,
  server: URL,
  metadata: string | undefined,
  client: ClientDescription,
): Promise<Whereabouts> {
  const found = await findResource(outside, server, metadata);
  if (!found) return { resource: canonical(server), issuer: server.origin, old: true, dpop: false };
  const { resource, issuers, scope, dpop } = found;
  const familiar = issuers.find((issuer) => registeredOf(client).some((each) => each.issuer === issuer));
  const issuer = familiar ?? issuers[0];
  return { resource, issuer: issuer ?? server.origin, old: issuer === undefined, scope, dpop };
}
