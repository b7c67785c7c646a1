import type { ServerCapabilities } from "../model/capabilities.ts";
import type { FeatureOptions } from "./feature.ts";
import { LateFeature } from "./late-feature.ts";
import { type PromptEntry, promptEntry } from "./prompt-entry.ts";
import type { AnyPromptHandler, AnyPromptOptions } from "./prompt.ts";
import type { Prompts } from "./prompts/index.ts";
import { Registry } from "./registry.ts";

/** prompts/… (server/prompts). */
export class PromptsFeature extends LateFeature<Prompts> {
  readonly registry: Registry<AnyPromptOptions, AnyPromptHandler, PromptEntry>;
  readonly #options: FeatureOptions;

  constructor(options: FeatureOptions) {
    super(["prompts/list", "prompts/get"], async () => {
      const { Prompts } = await import("./prompts/index.ts");
      return new Prompts(this.registry, options.pageSize);
    });
    this.#options = options;
    this.registry = new Registry({
      kind: "prompt",
      make: (name, own, handler) => {
        if (own.complete) options.completes();
        return promptEntry(name, own, handler, options.validator);
      },
      changed: () => options.changed("prompts"),
    });
  }

  capabilities(): ServerCapabilities {
    return { prompts: { listChanged: this.#options.listChanged } };
  }
}
