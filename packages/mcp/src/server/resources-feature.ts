import type { ServerCapabilities } from "../model/capabilities.ts";
import { isTemplate } from "../uri-template/template.ts";
import type { FeatureOptions } from "./feature.ts";
import { LateFeature } from "./late-feature.ts";
import { Registry } from "./registry.ts";
import { type ResourceEntry, resourceEntry } from "./resource-entry.ts";
import type { AnyResourceOptions, AnyResourceReader } from "./resource.ts";
import type { Resources } from "./resources/index.ts";

type ResourceRegistry = Registry<AnyResourceOptions, AnyResourceReader, ResourceEntry>;

const METHODS = ["list", "templates/list", "read", "subscribe", "unsubscribe"].map((name) => `resources/${name}`);

/** resources/… (server/resources). */
export class ResourcesFeature extends LateFeature<Resources> {
  readonly resources: ResourceRegistry;
  readonly templates: ResourceRegistry;
  readonly #options: FeatureOptions;

  constructor(options: FeatureOptions) {
    super(METHODS, async () => {
      const { Resources } = await import("./resources/index.ts");
      return new Resources(this.resources, this.templates, options.pageSize);
    });
    this.#options = options;
    this.resources = this.#registry("resource");
    this.templates = this.#registry("resource template");
  }

  capabilities(): ServerCapabilities {
    return { resources: { subscribe: true, listChanged: this.#options.listChanged } };
  }

  registryFor(uri: string): ResourceRegistry {
    return isTemplate(uri) ? this.templates : this.resources;
  }

  #registry(kind: string): ResourceRegistry {
    return new Registry({
      kind,
      make: (uri, own, read) => {
        if (own.complete) this.#options.completes();
        return resourceEntry(uri, own, read);
      },
      changed: () => this.#options.changed("resources"),
    });
  }
}
