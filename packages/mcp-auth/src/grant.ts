import type { Aim, Issued } from "./authorization.ts";
import { AuthError } from "./error.ts";
import type { ProofKeys } from "./proof.ts";
import { unite } from "./scope.ts";

/** Access to one resource: what a store keeps for a server. */
export interface Grant {
  readonly issuer: string;
  /** Nothing outside of it is sent the token. */
  readonly resource: string;
  /** True where the server has no metadata, so that its whole origin is the resource. */
  readonly old: boolean;
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** ms since 1970 from which on the token is better replaced; undefined where nobody has said. */
  readonly renewAt?: number | undefined;
  /** All that was asked for or granted. */
  readonly scope?: string | undefined;
  /** Of the key that the token is bound to. */
  readonly keys?: ProofKeys | undefined;
}

/** Makes a grant of what was issued. `keys` are those that the tokens were to be bound to. */
export function grantOf(aim: Aim, issued: Issued, keys: ProofKeys | undefined): Grant {
  const { resource, old, server, scope } = aim;
  const bound = issued.type === "dpop";
  if (issued.type === "none" || (bound && !keys))
    throw new AuthError("token", server.tokenEndpoint, `expected a token to send by itself, got one of another type`);
  return {
    issuer: server.issuer,
    resource,
    old,
    clientId: issued.clientId,
    accessToken: issued.accessToken,
    refreshToken: issued.refreshToken,
    renewAt: renewalOf(issued.expiresIn),
    scope: unite(scope, issued.scope),
    keys: bound ? keys : undefined,
  };
}

/** ms before its end at which a token is replaced, so that it doesn't end on its way. */
const MARGIN = 30_000;

/** A short token is replaced a tenth of its life early, so that it is used at all. */
function renewalOf(expiresIn: number | undefined): number | undefined {
  if (expiresIn === undefined) return undefined;
  const life = expiresIn * 1000;
  return Date.now() + life - Math.min(MARGIN, life / 10);
}

export const isDue = ({ renewAt }: Grant): boolean => renewAt !== undefined && Date.now() >= renewAt;
