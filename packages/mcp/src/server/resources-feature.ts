import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Resource, ResourceTemplate } from "../model/resources.ts";
import { isTemplate } from "../uri-template/template.ts";
import type { Call, Method } from "./contract.ts";
import type { Feature, FeatureOptions } from "./feature.ts";
import { List } from "./list.ts";
import { Registry } from "./registry.ts";
import { type ResourceEntry, type TemplateEntry, resourceEntry, templateEntry } from "./resource-entry.ts";
import type { AnyResourceOptions, AnyResourceReader, ResourceRegistration } from "./resource.ts";
import type { Resources } from "./resources/index.ts";

const NAMES = ["read", "subscribe", "unsubscribe"] as const;

/** resources/… (server/resources). Here is what a server starts with; `resources/` is loaded when a client reads. */
export class ResourcesFeature implements Feature {
  readonly methods: { readonly [name: string]: Method } = {
    "resources/list": (call) => this.#listing(call),
    "resources/templates/list": (call) => this.#templateList.page(call),
    ...Object.fromEntries(
      NAMES.map((name) => [`resources/${name}`, async (call: Call) => (await this.open())[name](call)]),
    ),
  };
  readonly resources: Registry<AnyResourceOptions, AnyResourceReader, ResourceEntry<Resource>>;
  readonly templates: Registry<AnyResourceOptions, AnyResourceReader, TemplateEntry>;
  readonly #list: List<Resource>;
  readonly #listChanged: boolean;
  readonly #templateList: List<ResourceTemplate>;
  #open: Promise<Resources> | undefined;
  #updated: ((uri: string) => void) | undefined;

  constructor(options: FeatureOptions) {
    const { cache, listChanged } = options;
    this.#listChanged = listChanged;
    this.#list = new List("resources", () => definitionsIn(this.resources), options);
    this.#templateList = new List("resourceTemplates", () => definitionsIn(this.templates), options);
    this.resources = new Registry({
      kind: "resource",
      make: (uri, own, read) => resourceEntry(uri, own, read, cache),
      changed: () => {
        this.#list.changed();
        options.changed();
      },
    });
    this.templates = new Registry({
      kind: "resource template",
      make: (uri, own, read) => {
        if (own.complete) options.completes();
        return templateEntry(uri, own, read, cache);
      },
      changed: () => {
        this.#templateList.changed();
        options.changed();
      },
    });
  }

  capabilities(): ServerCapabilities {
    return { resources: { subscribe: true, listChanged: this.#listChanged } };
  }

  /** Throws a TypeError that names the resource when it can't be published. */
  add(uri: string, options: AnyResourceOptions, read: AnyResourceReader): ResourceRegistration {
    const registry = isTemplate(uri) ? this.templates : this.resources;
    return { uri, ...registry.add(uri, options, read) };
  }

  /** What finds, reads and watches resources. */
  open(): Promise<Resources> {
    return (this.#open ??= import("./resources/index.ts").then(({ Resources }) => {
      const resources = new Resources(this.resources, this.templates);
      this.#updated = (uri) => resources.updated(uri);
      return resources;
    }));
  }

  /** Nobody watches anything before resources are open. */
  updated(uri: string): void {
    this.#updated?.(uri);
  }

  #listing(call: Call): unknown {
    const more = this.templates.entries().flatMap(({ list }) => list ?? []);
    if (more.length === 0) return this.#list.page(call);
    return Promise.all(more.map(async (list) => await list(call))).then((lists) => this.#list.page(call, lists.flat()));
  }
}

const definitionsIn = <Definition extends Resource | ResourceTemplate>(
  registry: Registry<AnyResourceOptions, AnyResourceReader, ResourceEntry<Definition>>,
): readonly Definition[] => registry.entries().map(({ definition }) => definition);
