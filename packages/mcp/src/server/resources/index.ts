import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import type { Resource, ResourceTemplate } from "../../model/resources.ts";
import { type Matcher, type Values, matcherOf } from "../../uri-template/match.ts";
import { parseTemplate, variablesOf } from "../../uri-template/template.ts";
import { hintsOf } from "../caching.ts";
import type { Completable } from "../complete.ts";
import type { Call, Connection, Methods } from "../contract.ts";
import { List } from "../list.ts";
import type { Registry } from "../registry.ts";
import type { ResourceEntry } from "../resource-entry.ts";
import { readResult } from "./result.ts";
import { type Watcher, Watches } from "./watches.ts";

type Shelf = Pick<Registry<never, never, ResourceEntry>, "state" | "get" | "entries">;

/** Lists, finds, reads and watches the resources of one server. */
export class Resources {
  readonly methods: Methods = {
    "resources/list": (call) => this.#listing(call),
    "resources/templates/list": (call) => this.#templateList.page(call),
    "resources/read": (call) => this.#read(call),
    "resources/subscribe": (call) => this.#subscribe(call),
    "resources/unsubscribe": (call) => this.#unsubscribe(call),
  };
  readonly #resources: Shelf;
  readonly #templates: Shelf;
  readonly #list: List<ResourceEntry, Resource>;
  readonly #templateList: List<ResourceEntry, ResourceTemplate>;
  readonly #matchers = new WeakMap<ResourceEntry, Matcher>();
  readonly #watches = new Watches();
  /** How connections with a handshake hear of what they watch. */
  readonly #subscribers = new Map<Connection, Watcher>();

  constructor(resources: Shelf, templates: Shelf, pageSize: number | undefined) {
    this.#resources = resources;
    this.#templates = templates;
    this.#list = new List({ key: "resources", source: resources, show: resourceOf, pageSize });
    this.#templateList = new List({ key: "resourceTemplates", source: templates, show: templateOf, pageSize });
  }

  #listing(call: Call): unknown {
    const more = this.#templates.entries().flatMap(({ options }) => options.list ?? []);
    if (more.length === 0) return this.#list.page(call);
    return Promise.all(more.map(async (list) => await list(call))).then((lists) => this.#list.page(call, lists.flat()));
  }

  async #read(call: Call): Promise<object> {
    const uri = uriIn(call);
    const found = this.#find(uri);
    if (!found) throw missing(uri, call);
    const { options, read } = found.entry;
    const value = await read(found.variables as never, call);
    if (value === undefined || value === null) throw missing(uri, call);
    const result = readResult(value, uri, options.mimeType);
    return { ...result, ...hintsOf({ ...call.session.server.hints, ...options.cache, ...result }) };
  }

  #subscribe(call: Call): object {
    const uri = uriIn(call);
    if (!this.has(uri)) throw missing(uri, call);
    this.watch(uri, this.#subscriber(call.session));
    return {};
  }

  #unsubscribe(call: Call): object {
    this.unwatch(uriIn(call), this.#subscriber(call.session));
    return {};
  }

  has(uri: string): boolean {
    return this.#find(uri) !== undefined;
  }

  /** Tells `watcher` of changes, if the resource is there. Throws what its `watch` throws. */
  watch(uri: string, watcher: Watcher): void {
    const found = this.#find(uri);
    if (found) this.#watches.add(uri, watcher, found.entry.options.watch);
  }

  unwatch(uri: string, watcher: Watcher): void {
    this.#watches.delete(uri, watcher);
  }

  updated(uri: string): void {
    this.#watches.updated(uri);
  }

  /** What can be completed in a template, or in a resource, which has no variables. */
  completable(uri: string): Completable | undefined {
    const entry = this.#templates.get(uri);
    if (entry) return { names: variablesOf(parseTemplate(uri)), complete: entry.options.complete };
    return this.has(uri) ? { names: [], complete: undefined } : undefined;
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

  #matcher(entry: ResourceEntry): Matcher {
    let matcher = this.#matchers.get(entry);
    if (!matcher) this.#matchers.set(entry, (matcher = matcherOf(parseTemplate(entry.uri))));
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

function resourceOf({ uri, options }: ResourceEntry): Resource {
  const { cache: _cache, watch: _watch, list: _list, complete: _complete, ...facts } = options;
  return { uri, name: uri, ...facts };
}

function templateOf({ uri, options }: ResourceEntry): ResourceTemplate {
  const { cache: _cache, watch: _watch, list: _list, complete: _complete, size: _size, ...facts } = options;
  return { uriTemplate: uri, name: uri, ...facts };
}

function uriIn({ method, params }: Call): string {
  const { uri } = params;
  if (typeof uri !== "string") throw new RpcError(INVALID_PARAMS, `${method}: "uri" must be a string`);
  return uri;
}

const missing = (uri: string, { client }: Call): RpcError =>
  new RpcError(client.revision.missingResource, `Resource not found: ${JSON.stringify(uri)}`, { uri });
