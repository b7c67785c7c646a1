import { revision20250326 } from "./2025-03-26.ts";
import { type Revision, and } from "./revision.ts";

export const revision20250618: Revision = {
  ...revision20250326,
  version: "2025-06-18",
  batches: false,
  asks: /* @__PURE__ */ and(revision20250326.asks, "elicitation/create"),
  modes: false,
};
