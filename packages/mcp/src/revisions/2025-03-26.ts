import { revision20241105 } from "./2024-11-05.ts";
import type { Revision } from "./revision.ts";

export const revision20250326: Revision = {
  ...revision20241105,
  version: "2025-03-26",
  batches: true,
  undeclared: /* @__PURE__ */ new Set(),
};
