import { INVALID_PARAMS, RpcError, preserialize } from "@x/jsonrpc";
import type { CacheHints } from "../model/caching.ts";
import type { Revision } from "../revisions/index.ts";
import { type Hints, hintsOf } from "./caching.ts";
import type { Call } from "./contract.ts";

/**
 * The answers to a `…/list` method. Each page is made once for each revision that asks and serialised once, until
 * something changes. Cursors are opaque: they name the state of the list, so that one of an earlier state is refused.
 */
export class List<Item> {
  readonly #key: string;
  readonly #items: (revision: Revision) => readonly Item[];
  readonly #pageSize: number;
  readonly #hints: Hints;
  #pages = new Map<string, object>();
  #state = 0;

  /** `key` is the result's member, such as "tools". */
  constructor(
    key: string,
    items: (revision: Revision) => readonly Item[],
    { pageSize = Infinity, cache }: { readonly pageSize?: number | undefined; readonly cache?: CacheHints | undefined },
  ) {
    this.#key = key;
    this.#items = items;
    this.#pageSize = pageSize;
    this.#hints = hintsOf(cache);
  }

  changed(): void {
    this.#state++;
    this.#pages = new Map();
  }

  /** `more` are items of this call alone: such a page is made anew each time. */
  page(call: Call, more?: readonly Item[]): object {
    const start = this.#start(call.params["cursor"]);
    if (more) return this.#make(start, [...this.#items(call.client.revision), ...more]);
    const key = `${call.client.revision.version} ${start}`;
    let page = this.#pages.get(key);
    if (!page) {
      page = preserialize(call.lifecycle.finish(this.#make(start, this.#items(call.client.revision)), call));
      this.#pages.set(key, page);
    }
    return (call.finished = page);
  }

  #make(start: number, items: readonly Item[]): object {
    const end = start + this.#pageSize;
    return {
      [this.#key]: items.slice(start, end),
      ...(end < items.length ? { nextCursor: `${this.#state}.${end}` } : undefined),
      ...this.#hints,
    };
  }

  #start(cursor: unknown): number {
    if (cursor === undefined) return 0;
    const [state, start] = typeof cursor === "string" ? cursor.split(".") : [];
    if (state !== String(this.#state) || !Number.isSafeInteger(Number(start)))
      throw new RpcError(INVALID_PARAMS, `Unknown cursor ${JSON.stringify(cursor)}: start again without one`);
    return Number(start);
  }
}
