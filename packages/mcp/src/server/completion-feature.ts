import type { Completion } from "./completion/complete.ts";
import type { Features } from "./features.ts";
import { LateFeature } from "./late-feature.ts";

/** completion/complete, for servers where something completes (server/utilities/completion). */
export const completionFeature = (features: Features): LateFeature<Completion> =>
  new LateFeature(
    ["completion/complete"],
    () => ({ completions: {} }),
    async () => {
      const { Completion } = await import("./completion/complete.ts");
      return new Completion(features);
    },
  );
