import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page starts; undefined on the last one. An empty string is a cursor like any other. */
  readonly nextCursor: string | undefined;
}

/** A server's list never has this many pages in earnest. */
const MAX_PAGES = 10_000;

/** How often a list may change while it is read. */
const MAX_STARTS = 4;

/**
 * All items, page after page, fetched as they are asked for. A cursor that comes again ends in an error. Where the
 * server no longer knows a cursor, because its list has changed, the list is read anew from the start: `changed` is
 * told, and items that were given already are left out.
 */
export async function* pages<Item extends object>(
  fetch: (cursor: string | undefined) => Promise<Page<Item>>,
  changed: () => void,
): AsyncGenerator<Item, void, undefined> {
  const given = new Set<unknown>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let start = 1; ; ) {
    let page: Page<Item>;
    try {
      page = await fetch(cursor);
    } catch (error) {
      const isRefused = cursor !== undefined && RpcError.is(error) && error.code === INVALID_PARAMS;
      if (!isRefused || start++ === MAX_STARTS) throw error;
      changed();
      seen.clear();
      cursor = undefined;
      continue;
    }
    for (const item of page.items) {
      const name = nameOf(item);
      if (name !== undefined && start > 1 && given.has(name)) continue;
      given.add(name);
      yield item;
    }
    cursor = page.nextCursor;
    if (cursor === undefined) return;
    if (seen.has(cursor) || seen.size >= MAX_PAGES)
      throw new Error(
        `The list has no end: the cursor ${JSON.stringify(cursor)} came ${seen.has(cursor) ? "twice" : `after ${MAX_PAGES} pages`}`,
      );
    seen.add(cursor);
  }
}

/** What an item of any list is known by. A server may have sent anything for an item. */
function nameOf(item: object | null): unknown {
  const { uri, uriTemplate, name } = (item ?? {}) as { uri?: unknown; uriTemplate?: unknown; name?: unknown };
  return uri ?? uriTemplate ?? name;
}
