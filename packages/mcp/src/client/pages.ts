/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page starts; undefined on the last one. An empty string is a cursor like any other. */
  readonly nextCursor: string | undefined;
}

/** A server's list never has this many pages in earnest. */
const MAX_PAGES = 10_000;

/** All items, page after page, fetched as they are asked for. A cursor that comes again ends in an error. */
export async function* pages<Item>(
  fetch: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page: Page<Item> = await fetch(cursor);
    yield* page.items;
    cursor = page.nextCursor;
    if (cursor !== undefined && (seen.has(cursor) || seen.size >= MAX_PAGES))
      throw new Error(
        `The list has no end: the cursor ${JSON.stringify(cursor)} came ${seen.has(cursor) ? "twice" : `after ${MAX_PAGES} pages`}`,
      );
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
}
