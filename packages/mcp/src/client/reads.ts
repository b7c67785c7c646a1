import type { ServerCapabilities } from "../model/capabilities.ts";
import { ResponseCache } from "./cache.ts";
import type { Exchange } from "./exchange.ts";
import { type Page, pages } from "./pages.ts";
import { type ReadOptions, need, resultIn } from "./requester.ts";
import type { Change } from "./subscription.ts";

export type ListMethod = "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list";

/** The lists of a server: where its items stand in the result, and what it has to declare. */
const LISTS: { readonly [method in ListMethod]: { readonly key: string; readonly needs: keyof ServerCapabilities } } = {
  "tools/list": { key: "tools", needs: "tools" },
  "prompts/list": { key: "prompts", needs: "prompts" },
  "resources/list": { key: "resources", needs: "resources" },
  "resources/templates/list": { key: "resourceTemplates", needs: "resources" },
};

/** The lists that a change concerns. */
const CHANGED: { readonly [list in "tools" | "prompts" | "resources"]: readonly ListMethod[] } = {
  tools: ["tools/list"],
  prompts: ["prompts/list"],
  resources: ["resources/list", "resources/templates/list"],
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
    const { key, needs } = LISTS[method];
    need(this.#exchange, needs, method);
    const [what, params] = cursor === undefined ? ["", undefined] : [`=${cursor}`, { cursor }];
    const answer = await this.read(method, what, params, options);
    const result = resultIn(answer, method) as { readonly [name: string]: unknown };
    const items = result[key];
    if (!Array.isArray(items)) throw new Error(`The server answered "${method}" without ${key}`);
    return { items, nextCursor: (result["nextCursor"] as string | null | undefined) ?? undefined };
  }

  /** What was kept of it is stale. */
  changed(change: Change): void {
    if ("list" in change) for (const method of CHANGED[change.list]) this.#cache.changed(method);
    // What changed may be a part of what was read.
    else this.#cache.changed("resources/read", (uri) => change.resource.startsWith(uri));
  }

  /** All items, page after page; `page` fetches one. */
  pages<Item extends object>(
    method: ListMethod,
    page: (cursor: string | undefined) => Promise<Page<Item>>,
  ): AsyncGenerator<Item, void, undefined> {
    return pages(page, () => this.#cache.changed(method));
  }
}
