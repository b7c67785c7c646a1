import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import { after } from "../after.ts";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Resource, ResourceTemplate } from "../model/resources.ts";
import type { Values } from "../uri-template/match.ts";
import { isTemplate } from "../uri-template/template.ts";
import type { Completable } from "./complete.ts";
import type { Call, Connection } from "./contract.ts";
import type { Feature, FeatureOptions } from "./feature.ts";
import { List } from "./list.ts";
import { Registry } from "./registry.ts";
import { type ResourceEntry, type TemplateEntry, resourceEntry, templateEntry } from "./resource-entry.ts";
import { readResult } from "./resource-result.ts";
import type { AnyResourceOptions, AnyResourceReader, ResourceRegistration } from "./resource.ts";
import { type Watcher, Watches } from "./watches.ts";

/** resources/… (server/resources). */
export class Resources implements Feature {
  readonly methods = {
    "resources/list": (call: Call): unknown => this.#listing(call),
    "resources/templates/list": (call: Call): object => this.#templateList.page(call),
    "resources/read": (call: Call): unknown => this.#read(call),
    "resources/subscribe": (call: Call): object => this.#subscribe(call),
    "resources/unsubscribe": (call: Call): object => this.#unsubscribe(call),
  };
  readonly #resources: Registry<AnyResourceOptions, AnyResourceReader, ResourceEntry<Resource>>;
  readonly #templates: Registry<AnyResourceOptions, AnyResourceReader, TemplateEntry>;
  readonly #list: List<Resource>;
  readonly #templateList: List<ResourceTemplate>;
  readonly #watches = new Watches();
  /** How connections with a handshake hear of what they watch. */
  readonly #subscribers = new Map<Connection, Watcher>();

  constructor(options: FeatureOptions) {
    const { cache } = options;
    const changed = (list: List<unknown>): void => {
      list.changed();
      options.changed();
    };
    this.#list = new List("resources", () => definitionsIn(this.#resources), options);
    this.#templateList = new List("resourceTemplates", () => definitionsIn(this.#templates), options);
    this.#resources = new Registry({
      kind: "resource",
      make: (uri, own, read) => resourceEntry(uri, own, read, cache),
      changed: () => changed(this.#list),
    });
    this.#templates = new Registry({
      kind: "resource template",
      make: (uri, own, read) => {
        if (own.complete) options.completes();
        return templateEntry(uri, own, read, cache);
      },
      changed: () => changed(this.#templateList),
    });
  }

  capabilities(): ServerCapabilities {
    return { resources: { subscribe: true, listChanged: true } };
  }

  /** Throws a TypeError that names the resource when it can't be published. */
  add(uri: string, options: AnyResourceOptions, read: AnyResourceReader): ResourceRegistration {
    const registry = isTemplate(uri) ? this.#templates : this.#resources;
    return { uri, ...registry.add(uri, options, read) };
  }

  /** What can be completed in a template, or in a resource, which has no variables. */
  completable(uri: string): Completable | undefined {
    return this.#templates.get(uri) ?? (this.#find(uri) && { names: [], complete: undefined });
  }

  updated(uri: string): void {
    this.#watches.updated(uri);
  }

  has(uri: string): boolean {
    return this.#find(uri) !== undefined;
  }

  /** Starts telling `watcher` of changes; false for a URI that isn't there. */
  watch(uri: string, watcher: Watcher): boolean {
    const found = this.#find(uri);
    if (found) this.#watches.add(uri, watcher, found.entry.watch);
    return found !== undefined;
  }

  unwatch(uri: string, watcher: Watcher): void {
    this.#watches.delete(uri, watcher);
  }

  #find(uri: string): { readonly entry: ResourceEntry; readonly variables: Values } | undefined {
    const entry = this.#resources.get(uri);
    if (entry) return { entry, variables: {} };
    for (const template of this.#templates.entries()) {
      const variables = template.match(uri);
      if (variables) return { entry: template, variables };
    }
    return undefined;
  }

  #listing(call: Call): unknown {
    const more = this.#templates.entries().flatMap(({ list }) => (list ? [list(call)] : []));
    if (more.length === 0) return this.#list.page(call);
    return Promise.all(more).then((lists) => this.#list.page(call, lists.flat()));
  }

  #read(call: Call): unknown {
    const uri = uriIn(call);
    const found = this.#find(uri);
    if (!found) throw missing(uri, call);
    const { definition, hints, read } = found.entry;
    return after(read(found.variables as never, call), (value) => {
      if (value === undefined || value === null) throw missing(uri, call);
      return { ...hints, ...readResult(value, uri, definition.mimeType) };
    });
  }

  #subscribe(call: Call): object {
    const uri = uriIn(call);
    if (!this.watch(uri, this.#subscriber(call.session))) throw missing(uri, call);
    return {};
  }

  #unsubscribe(call: Call): object {
    this.unwatch(uriIn(call), this.#subscriber(call.session));
    return {};
  }

  #subscriber(session: Connection): Watcher {
    let watcher = this.#subscribers.get(session);
    if (watcher) return watcher;
    watcher = (uri) => void session.notify("notifications/resources/updated", { uri });
    this.#subscribers.set(session, watcher);
    const leave = watcher;
    void session.closed.then(() => {
      this.#subscribers.delete(session);
      this.#watches.deleteAll(leave);
    });
    return watcher;
  }
}

const definitionsIn = <Definition extends Resource | ResourceTemplate>(
  registry: Registry<AnyResourceOptions, AnyResourceReader, ResourceEntry<Definition>>,
): readonly Definition[] => registry.entries().map(({ definition }) => definition);

function uriIn({ method, params }: Call): string {
  const { uri } = params;
  if (typeof uri !== "string") throw new RpcError(INVALID_PARAMS, `${method}: "uri" must be a string`);
  return uri;
}

const missing = (uri: string, { client }: Call): RpcError =>
  new RpcError(client.revision.missingResource, `Resource not found: ${JSON.stringify(uri)}`, { uri });
