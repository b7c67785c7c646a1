import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Completion } from "./completion/complete.ts";
import type { Features } from "./features.ts";
import { LateFeature } from "./late-feature.ts";

/** completion/complete, for servers where something completes (server/utilities/completion). */
export class CompletionFeature extends LateFeature<Completion> {
  constructor(features: Features) {
    super(["completion/complete"], async () => {
      const { Completion } = await import("./completion/complete.ts");
      return new Completion(features);
    });
  }

  capabilities(): ServerCapabilities {
    return { completions: {} };
  }
}
