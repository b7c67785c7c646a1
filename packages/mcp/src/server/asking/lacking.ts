import type { ClientCapabilities } from "../../model/capabilities.ts";

/** What of `needs` the client has not declared; undefined when there is nothing. */
export function lacking(needs: ClientCapabilities, has: ClientCapabilities): ClientCapabilities | undefined {
  const missing = missingIn(needs as Tree, has as Tree);
  return Object.keys(missing).length > 0 ? missing : undefined;
}

type Tree = { readonly [key: string]: Tree | boolean | undefined };

function missingIn(needs: Tree, has: Tree): Tree {
  const missing: Record<string, Tree | boolean> = {};
  for (const [key, need] of Object.entries(needs)) {
    const own = Object.hasOwn(has, key) ? has[key] : undefined;
    if (need === undefined) continue;
    if (own === undefined) missing[key] = need;
    else if (typeof need === "object" && typeof own === "object") {
      const within = missingIn(need, own);
      if (Object.keys(within).length > 0) missing[key] = within;
    }
  }
  return missing;
}
