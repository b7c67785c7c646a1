import type { CacheHints } from "../model/caching.ts";

export type Hints = Required<CacheHints>;

/** Hints with their defaults: stale at once, and nobody else's. Throws a TypeError for what is no hint. */
export function hintsOf({ ttlMs = 0, cacheScope = "private" }: CacheHints = {}): Hints {
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 0) throw wrong("ttlMs", "a whole number of ms, 0 or more", ttlMs);
  if (cacheScope !== "public" && cacheScope !== "private")
    throw wrong("cacheScope", '"public" or "private"', cacheScope);
  return { ttlMs, cacheScope };
}

const wrong = (name: string, wanted: string, got: unknown): TypeError =>
  new TypeError(`cache.${name} must be ${wanted}, got ${JSON.stringify(got)}`);
