import type { Revision } from "./revision.ts";

export const revision20260728: Revision = {
  version: "2026-07-28",
  lifecycle: "stateless",
  batches: false,
  requests: /* @__PURE__ */ new Set([
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "subscriptions/listen",
  ]),
  asks: /* @__PURE__ */ new Set(["roots/list", "sampling/createMessage", "elicitation/create"]),
};
