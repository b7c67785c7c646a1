import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import { type Matcher, type Values, matcherOf } from "../../uri-template/match.ts";
import { hintsOf } from "../caching.ts";
import type { Completable } from "../complete.ts";
import type { Call, Connection } from "../contract.ts";
import type { ResourceEntry, TemplateEntry } from "../resource-entry.ts";
import { readResult } from "./result.ts";
import { type Watcher, Watches } from "./watches.ts";

/** What can be found by its URI: resources, and templates that it may fit. */
interface Shelf<Entry> {
  get(uri: string): Entry | undefined;
  entries(): readonly Entry[];
}

/** Finds, reads and watches the resources of one server. */
export class Resources {
  readonly #resources: Shelf<ResourceEntry>;
  readonly #templates: Shelf<TemplateEntry>;
  readonly #matchers = new WeakMap<TemplateEntry, Matcher>();
  readonly #watches = new Watches();
  /** How connections with a handshake hear of what they watch. */
  readonly #subscribers = new Map<Connection, Watcher>();

  constructor(resources: Shelf<ResourceEntry>, templates: Shelf<TemplateEntry>) {
    this.#resources = resources;
    this.#templates = templates;
  }

  async read(call: Call): Promise<object> {
    const uri = uriIn(call);
    const found = this.#find(uri);
    if (!found) throw missing(uri, call);
    const { definition, hints, read } = found.entry;
    const value = await read(found.variables as never, call);
    if (value === undefined || value === null) throw missing(uri, call);
    const result = readResult(value, uri, definition.mimeType);
    return { ...result, ...hintsOf({ ...hints, ...result }) };
  }

  subscribe(call: Call): object {
    const uri = uriIn(call);
    if (!this.has(uri)) throw missing(uri, call);
    this.watch(uri, this.#subscriber(call.session));
    return {};
  }

  unsubscribe(call: Call): object {
    this.unwatch(uriIn(call), this.#subscriber(call.session));
    return {};
  }

  has(uri: string): boolean {
    return this.#find(uri) !== undefined;
  }

  /** Tells `watcher` of changes, if the resource is there. Throws what its `watch` throws. */
  watch(uri: string, watcher: Watcher): void {
    const found = this.#find(uri);
    if (found) this.#watches.add(uri, watcher, found.entry.watch);
  }

  unwatch(uri: string, watcher: Watcher): void {
    this.#watches.delete(uri, watcher);
  }

  updated(uri: string): void {
    this.#watches.updated(uri);
  }

  /** What can be completed in a template, or in a resource, which has no variables. */
  completable(uri: string): Completable | undefined {
    return this.#templates.get(uri) ?? (this.has(uri) ? { names: [], complete: undefined } : undefined);
  }

  #find(uri: string): { readonly entry: ResourceEntry; readonly variables: Values } | undefined {
    const entry = this.#resources.get(uri);
    if (entry) return { entry, variables: {} };
    for (const template of this.#templates.entries()) {
      const variables = this.#matcher(template)(uri);
      if (variables) return { entry: template, variables };
    }
    return undefined;
  }

  #matcher(entry: TemplateEntry): Matcher {
    let matcher = this.#matchers.get(entry);
    if (!matcher) this.#matchers.set(entry, (matcher = matcherOf(entry.template)));
    return matcher;
  }

  #subscriber(session: Connection): Watcher {
    const before = this.#subscribers.get(session);
    if (before) return before;
    const watcher = (uri: string): void => void session.notify("notifications/resources/updated", { uri });
    this.#subscribers.set(session, watcher);
    void session.closed.then(() => {
      this.#subscribers.delete(session);
      this.#watches.deleteAll(watcher);
    });
    return watcher;
  }
}

function uriIn({ method, params }: Call): string {
  const { uri } = params;
  if (typeof uri !== "string") throw new RpcError(INVALID_PARAMS, `${method}: "uri" must be a string`);
  return uri;
}

const missing = (uri: string, { client }: Call): RpcError =>
  new RpcError(client.revision.missingResource, `Resource not found: ${JSON.stringify(uri)}`, { uri });
