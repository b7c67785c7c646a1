import { revision20250618 } from "./2025-06-18.ts";
import { type Revision, and } from "./revision.ts";

const TASKS = ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"];

export const revision20251125: Revision = {
  ...revision20250618,
  version: "2025-11-25",
  tasks: "augmented",
  urlRequired: true,
  requests: /* @__PURE__ */ and(revision20250618.requests, ...TASKS),
  asks: /* @__PURE__ */ and(revision20250618.asks, ...TASKS),
  modes: true,
};
