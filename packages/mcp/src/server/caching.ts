import type { CacheHints } from "../model/caching.ts";

export type Hints = Required<CacheHints>;

/** Hints with their defaults: stale at once, and nobody else's. Throws a TypeError for what is no hint. */
export function hintsOf({ ttlMs = 0, cacheScope = "private" }: CacheHints = {}): Hints {
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 0)
    throw new TypeError(`cache.ttlMs must be a whole number of ms, 0 or more, got ${ttlMs}`);
  if (cacheScope !== "public" && cacheScope !== "private")
    throw new TypeError(`cache.cacheScope must be "public" or "private", got ${JSON.stringify(cacheScope)}`);
  return { ttlMs, cacheScope };
}
