import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Prompt } from "../model/prompts.ts";
import type { Completable } from "./complete.ts";
import type { Method } from "./contract.ts";
import type { Feature, FeatureOptions } from "./feature.ts";
import { List } from "./list.ts";
import { type PromptEntry, promptEntry } from "./prompt-entry.ts";
import type { AnyPromptHandler, AnyPromptOptions, PromptRegistration } from "./prompt.ts";
import { Registry } from "./registry.ts";

/** prompts/… (server/prompts). Here is what a server starts with; `prompts/` is loaded when a client gets one. */
export class PromptsFeature implements Feature {
  readonly methods: { readonly [name: string]: Method } = {
    "prompts/list": (call) => this.#list.page(call),
    "prompts/get": async (call) => {
      const { getPrompt } = await import("./prompts/get.ts");
      return await getPrompt(call, (name) => this.#prompts.get(name));
    },
  };
  readonly #prompts: Registry<AnyPromptOptions, AnyPromptHandler, PromptEntry>;
  readonly #list: List<Prompt>;
  readonly #listChanged: boolean;

  constructor(options: FeatureOptions) {
    this.#listChanged = options.listChanged;
    this.#list = new List("prompts", () => this.#prompts.entries().map(({ definition }) => definition), options);
    this.#prompts = new Registry({
      kind: "prompt",
      make: (name, own, handler) => {
        if (own.complete) options.completes();
        return promptEntry(name, own, handler, options.validator);
      },
      changed: () => {
        this.#list.changed();
        options.changed();
      },
    });
  }

  capabilities(): ServerCapabilities {
    return { prompts: { listChanged: this.#listChanged } };
  }

  /** Throws a TypeError that names the prompt when it can't be published. */
  add(name: string, options: AnyPromptOptions, handler: AnyPromptHandler): PromptRegistration {
    return { name, ...this.#prompts.add(name, options, handler) };
  }

  completable(name: string): Completable | undefined {
    return this.#prompts.get(name);
  }
}
