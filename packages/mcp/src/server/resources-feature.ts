import { isTemplate } from "../uri-template/check.ts";
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

  constructor({ listChanged, changed, completes, pageSize }: FeatureOptions) {
    super(
      METHODS,
      () => ({ resources: { subscribe: true, listChanged } }),
      async () => {
        const { Resources } = await import("./resources/index.ts");
        return new Resources(this.resources, this.templates, pageSize);
      },
    );
    const registry = (kind: string): ResourceRegistry =>
      new Registry({
        kind,
        make: (uri, own, read) => {
          if (own.complete) completes();
          return resourceEntry(uri, own, read);
        },
        changed: () => changed("resources"),
      });
    this.resources = registry("resource");
    this.templates = registry("resource template");
  }

  registryFor(uri: string): ResourceRegistry {
    return isTemplate(uri) ? this.templates : this.resources;
  }
}
