import type { ServerCapabilities } from "../model/capabilities.ts";
import { ResponseCache } from "./cache.ts";
import type { Exchange } from "./exchange.ts";
import { type Page, pages } from "./pages.ts";
import { type ReadOptions, need, resultIn } from "./requester.ts";
import type { Change } from "./subscription.ts";

export type ListMethod = "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list";

/** The lists of a server: where the items stand in the result. A method begins with the capability that it needs. */
const LISTS: { readonly [method in ListMethod]: string } = {
  "tools/list": "tools",
  "prompts/list": "prompts",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
};

/** Requests that only read, whose answers may be kept for as long as the server calls them fresh. */
export class Reads {
  readonly #cache = new ResponseCache();
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** `what` tells requests with different answers apart. `first` is called with what the server answers at once. */
  async read(
    method: string,
    what: string,
    params?: object,
    { fresh, ...options }: ReadOptions = {},
    first?: () => void,
  ): Promise<unknown> {
    // Other metadata or headers may mean another answer.
    const isPlain = options.meta === undefined && options.headers === undefined;
    const kept = isPlain && !fresh ? this.#cache.get(method, what) : undefined;
    if (kept) return kept;
    const keep = isPlain ? this.#cache.keeper(method, what) : undefined;
    return await this.#exchange.request(method, params, options, (result) => {
      keep?.(result);
      first?.();
    });
  }

  async page<Item>(method: ListMethod, cursor?: string, options?: ReadOptions): Promise<Page<Item>> {
    const key = LISTS[method];
    need(this.#exchange, method.split("/", 1)[0] as keyof ServerCapabilities, method);
    const [what, params] = cursor === undefined ? ["", undefined] : [`=${cursor}`, { cursor }];
    const answer = await this.read(method, what, params, options);
    const result = resultIn(answer, method) as { readonly [name: string]: unknown };
    const items = result[key];
    if (!Array.isArray(items)) throw new Error(`The server answered "${method}" without ${key}`);
    return { items, nextCursor: (result["nextCursor"] as string | null | undefined) ?? undefined };
  }

  /** What was kept of it is stale. */
  changed(change: Change): void {
    // What changed may be a part of what was read.
    if ("resource" in change) this.#cache.changed("resources/read", (uri) => change.resource.startsWith(uri));
    else for (const method in LISTS) if (method.startsWith(change.list)) this.#cache.changed(method);
  }

  /** All items, page after page; `page` fetches one. */
  pages<Item extends object>(
    method: ListMethod,
    page: (cursor: string | undefined) => Promise<Page<Item>>,
  ): AsyncGenerator<Item, void, undefined> {
    return pages(page, () => this.#cache.changed(method));
  }
}
