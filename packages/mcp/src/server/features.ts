import type { PromptsFeature } from "./prompts-feature.ts";
import type { ResourcesFeature } from "./resources-feature.ts";
import type { LateFeature } from "./late-feature.ts";
import type { Tasks } from "./tasks/index.ts";

/** The features of a server that others build upon; each is there once something was registered for it. */
export interface Features {
  readonly prompts?: PromptsFeature;
  readonly resources?: ResourcesFeature;
  readonly tasks?: LateFeature<Tasks>;
}
