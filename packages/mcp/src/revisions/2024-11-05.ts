import { RESOURCE_NOT_FOUND } from "../errors.ts";
import type { Revision } from "./revision.ts";

export const revision20241105: Revision = {
  version: "2024-11-05",
  lifecycle: "handshake",
  batches: false,
  requests: /* @__PURE__ */ new Set([
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "logging/setLevel",
  ]),
  asks: /* @__PURE__ */ new Set(["ping", "roots/list", "sampling/createMessage"]),
  undeclared: /* @__PURE__ */ new Set(["completions"]),
  missingResource: RESOURCE_NOT_FOUND,
  objectOutput: true,
  urlRequired: false,
  modes: false,
};
