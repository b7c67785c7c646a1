import type { ResourceLink, TextContent } from "../model/content.ts";
import { revision20241105 } from "./2024-11-05.ts";
import { replaceBlocks } from "./content.ts";
import type { Revision } from "./revision.ts";

export const revision20250326: Revision = {
  ...revision20241105,
  version: "2025-03-26",
  batches: true,
  undeclared: /* @__PURE__ */ new Set(),
  down: (method, result) => replaceBlocks(method, result, "resource_link", asText),
};

/** Content had no links yet. */
const asText = ({ name, title = name, description, uri, annotations, _meta }: ResourceLink): TextContent => ({
  type: "text",
  text: `${title}: ${uri}${description === undefined ? "" : `\n${description}`}`,
  ...(annotations && { annotations }),
  ...(_meta && { _meta }),
});
