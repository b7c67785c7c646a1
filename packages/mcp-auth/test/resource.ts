import type { TestContext } from "node:test";
import type { Issuer } from "./issuer.ts";
import { type Answer, type Reply, type Site, site } from "./site.ts";

export interface ResourceOptions {
  readonly issuer?: Issuer;
  /** Path of the server (default "/mcp"). */
  readonly path?: string;
  /** Where the metadata is (default: by its path); null for nowhere. */
  readonly metadataAt?: string | null;
  /** Changes members of the metadata; undefined leaves one out. */
  readonly metadata?: (origin: string) => { readonly [member: string]: unknown };
  /** The challenge of a 401 (default: says where the metadata is). */
  readonly challenge?: (origin: string) => string | readonly string[] | undefined;
  /** Scopes that a request needs. */
  readonly needs?: (body: string) => readonly string[];
  /** Answers before the server itself does. */
  readonly first?: Answer;
}

/** A server that serves whoever has a token of its issuer. */
export interface Resource extends Site {
  readonly url: string;
  /** Requests to the server itself. */
  readonly calls: () => Site["requests"];
}

export async function resource(t: TestContext, options: ResourceOptions = {}): Promise<Resource> {
  const { issuer, path = "/mcp", metadataAt = `/.well-known/oauth-protected-resource${path}`, needs } = options;
  // oxlint-disable-next-line prefer-const -- its own answers name it
  let place: Site;
  const challenge = (): Reply["headers"] => {
    const given = options.challenge
      ? options.challenge(place.origin)
      : `Bearer resource_metadata="${place.origin}${metadataAt}"`;
    return given === undefined ? {} : { "WWW-Authenticate": given };
  };
  place = await site(t, async (request) => {
    const first = await options.first?.(request);
    if (first) return first;
    if (request.path === metadataAt)
      return {
        body: {
          resource: place.origin + path,
          authorization_servers: [issuer?.issuer],
          ...options.metadata?.(place.origin),
        },
      };
    if (request.path !== path) return undefined;
    const token = /^(?:Bearer|DPoP) (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const issued = issuer?.valid.get(token);
    if (!issued) return { status: 401, headers: challenge() ?? {} };
    const needed = needs?.(request.body) ?? [];
    if (needed.every((scope) => issued.scopes.includes(scope))) return { body: { ok: true } };
    const header = `Bearer error="insufficient_scope", scope="${needed.join(" ")}", resource_metadata="${place.origin}${metadataAt}"`;
    return { status: 403, headers: { "WWW-Authenticate": header } };
  });
  return Object.assign(place, {
    url: place.origin + path,
    calls: () => place.requests.filter((request) => request.path === path),
  });
}
