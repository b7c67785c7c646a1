import { INVALID_PARAMS } from "@x/jsonrpc";
import type { Revision } from "./revision.ts";

export const revision20260728: Revision = {
  version: "2026-07-28",
  lifecycle: "stateless",
  batches: false,
  tasks: "extension",
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
    "tasks/get",
    "tasks/update",
    "tasks/cancel",
  ]),
  asks: /* @__PURE__ */ new Set(["roots/list", "sampling/createMessage", "elicitation/create"]),
  undeclared: /* @__PURE__ */ new Set(),
  missingResource: INVALID_PARAMS,
  objectOutput: false,
  urlRequired: false,
  modes: true,
};
