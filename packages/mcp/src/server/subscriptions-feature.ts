import type { Features } from "./features.ts";
import { LateFeature } from "./late-feature.ts";
import type { Subscriptions } from "./subscriptions/index.ts";

/** `subscriptions/listen` (basic/patterns/subscriptions). What there is to hear of is each feature's own capability. */
export const subscriptionsFeature = (features: Features): LateFeature<Subscriptions> =>
  new LateFeature(
    ["subscriptions/listen"],
    () => ({}),
    async () => {
      const { Subscriptions } = await import("./subscriptions/index.ts");
      return new Subscriptions(features);
    },
  );
