/** The methods whose results carry the hints. */
export const CACHEABLE: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

/** How long a result stays fresh and who may share it (server/utilities/caching). */
export interface CacheHints {
  /** Whole ms, from 0 (stale at once) on. */
  readonly ttlMs?: number;
  /** "public": anyone may be given a stored copy. "private": only who has the same authorization. */
  readonly cacheScope?: "public" | "private";
}
