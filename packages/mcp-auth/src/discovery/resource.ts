import { type JsonObject, stringIn, stringsIn } from "../body.ts";
import { AuthError, type Step, quote } from "../error.ts";
import type { Outside } from "../outside.ts";
import { inserted, pathOf } from "./well-known.ts";

/** What a server says of itself (RFC 9728 section 2). */
export interface Resource {
  /** Exactly as published. */
  readonly resource: string;
  /** Issuers of the authorization servers whose tokens it takes; may be empty. */
  readonly issuers: readonly string[];
  readonly scope?: string | undefined;
  /** Whether it takes no other tokens than those that are bound to a key. */
  readonly dpop: boolean;
}

const STEP: Step = "resource metadata";
const SUFFIX = "oauth-protected-resource";

/**
 * Finds a server's metadata: where its challenge says, else at the well-known place of its path, else at that of its
 * root (authorization server discovery, "Protected Resource Metadata Discovery Requirements"). Undefined where there is
 * none, as before 2025-06-18.
 */
export async function findResource(
  outside: Outside,
  server: URL,
  named: string | undefined,
): Promise<Resource | undefined> {
  if (named !== undefined) {
    const found = await outside.document(STEP, named);
    if (found.document) return resourceIn(found.document, server, named);
    throw new AuthError(
      STEP,
      named,
      `the server's challenge names it: expected a JSON object, got status ${found.status}`,
    );
  }
  for (const address of new Set([inserted(server, SUFFIX), `${server.origin}/.well-known/${SUFFIX}`])) {
    const found = await outside.document(STEP, address);
    if (found.document) return resourceIn(found.document, server, address);
  }
  return undefined;
}

function resourceIn(document: JsonObject, server: URL, address: string): Resource {
  const resource = stringIn(document, "resource");
  if (resource === undefined || !covers(resource, server))
    throw new AuthError(
      STEP,
      address,
      `expected "resource" to be ${server.origin}${server.pathname} or a path above it, got ${quote(document["resource"])}`,
    );
  return {
    resource,
    issuers: stringsIn(document, "authorization_servers") ?? [],
    scope: stringsIn(document, "scopes_supported")?.join(" "),
    dpop: document["dpop_bound_access_tokens_required"] === true,
  };
}

/** Whether a resource is the server at this address, or has it below its path. */
export function covers(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const url = new URL(resource);
  const path = pathOf(url);
  return (
    url.origin === server.origin &&
    url.hash === "" &&
    (pathOf(server) === path || server.pathname.startsWith(`${path}/`))
  );
}

/** The resource that a server without metadata is: its canonical URI. */
export const canonical = (server: URL): string => server.origin + pathOf(server);
