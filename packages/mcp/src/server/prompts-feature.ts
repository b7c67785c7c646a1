import type { FeatureOptions } from "./feature.ts";
import { LateFeature } from "./late-feature.ts";
import { type PromptEntry, promptEntry } from "./prompt-entry.ts";
import type { AnyPromptHandler, AnyPromptOptions } from "./prompt.ts";
import type { Prompts } from "./prompts/index.ts";
import { Registry } from "./registry.ts";

/** prompts/… (server/prompts). */
export class PromptsFeature extends LateFeature<Prompts> {
  readonly registry: Registry<AnyPromptOptions, AnyPromptHandler, PromptEntry>;

  constructor({ listChanged, changed, completes, validator, pageSize }: FeatureOptions) {
    super(
      ["prompts/list", "prompts/get"],
      () => ({ prompts: { listChanged } }),
      async () => {
        const { Prompts } = await import("./prompts/index.ts");
        return new Prompts(this.registry, pageSize);
      },
    );
    this.registry = new Registry({
      kind: "prompt",
      make: (name, own, handler) => {
        if (own.complete) completes();
        return promptEntry(name, own, handler, validator);
      },
      changed: () => changed("prompts"),
    });
  }
}
