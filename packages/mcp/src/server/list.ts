import { preserialize } from "@x/jsonrpc";
import type { Revision } from "../revisions/index.ts";
import type { Call } from "./contract.ts";

/** What a list shows: entries that may change. */
interface Source<Entry> {
  /** Another one after each change. */
  readonly state: number;
  entries(): readonly Entry[];
}

export interface ListOptions<Entry, Item> {
  /** The result's member, such as "tools". */
  readonly key: string;
  readonly source: Source<Entry>;
  /** An entry as a revision has it. */
  readonly show: (entry: Entry, revision: Revision) => Item;
  /** Items on a page (default: all). */
  readonly pageSize?: number | undefined;
}

/**
 * The answers to a `…/list` method. Each page is made once for each revision that asks and serialised once, until
 * something changes. Cursors are opaque: they name the state of the list, so that one of an earlier state is refused.
 */
export class List<Entry, Item> {
  readonly #options: ListOptions<Entry, Item>;
  #pages = new Map<string, object>();
  /** Of the source when the pages were made. */
  #state: number | undefined;

  constructor(options: ListOptions<Entry, Item>) {
    this.#options = options;
  }

  /** `more` are items of this call alone: such a page is made anew each time. */
  page(call: Call, more?: readonly Item[]): object | Promise<object> {
    const { cursor } = call.params;
    if (cursor === undefined) return this.#page(call, 0, more);
    // Few lists have a second page.
    return import("./cursor.ts").then(({ startOf }) => this.#page(call, startOf(cursor, this.#options, more), more));
  }

  #page(call: Call, start: number, more: readonly Item[] | undefined): object {
    const { source } = this.#options;
    if (this.#state !== source.state) {
      this.#state = source.state;
      this.#pages = new Map();
    }
    if (more) return this.#make(call, start, more);
    const key = `${call.client.revision.version} ${start}`;
    let page = this.#pages.get(key);
    if (!page) {
      page = preserialize(call.lifecycle.finish(this.#make(call, start, []), call));
      this.#pages.set(key, page);
    }
    return (call.finished = page);
  }

  #make({ client, session }: Call, start: number, more: readonly Item[]): object {
    const { key, source, show, pageSize = Infinity } = this.#options;
    const items = [...source.entries().map((entry) => show(entry, client.revision)), ...more];
    const end = start + pageSize;
    return {
      [key]: items.slice(start, end),
      ...(end < items.length ? { nextCursor: `${this.#state}.${end}` } : undefined),
      ...session.server.hints,
    };
  }
}
