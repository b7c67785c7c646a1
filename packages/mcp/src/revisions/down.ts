import { CACHEABLE, type CacheHints } from "../model/caching.ts";
import type { AudioContent, ContentBlock, EmbeddedResource, ResourceLink, TextContent } from "../model/content.ts";
import { type Revision, revisions } from "./index.ts";

/** Turns the result of a method into the shape that it has in the next older revision. */
type Step = (method: string, result: object) => object;

/** The steps that lead into a revision; into others there is none to take. */
const steps: { readonly [version: string]: Step } = {
  "2025-11-25": (method, result) => (CACHEABLE.has(method) ? withoutHints(result) : result),
  "2025-03-26": (method, result) => replaceBlocks(method, result, "resource_link", asText),
  "2024-11-05": (method, result) => replaceBlocks(method, result, "audio", asResource),
};

/** A result of the newest shape as `revision` has it: walked down one revision at a time. */
export function downTo(revision: Revision, method: string, result: object): object {
  const last = revisions.indexOf(revision);
  let shape = result;
  for (let at = 0; at <= last; at++) shape = steps[revisions[at]!.version]?.(method, shape) ?? shape;
  return shape;
}

/** Results had no hints for caches yet. */
function withoutHints(result: object): object {
  const { ttlMs: _1, cacheScope: _2, ...rest } = result as CacheHints;
  return rest;
}

/** Content had no links yet. */
const asText = ({ name, title = name, description, uri, annotations, _meta }: ResourceLink): TextContent => ({
  type: "text",
  text: `${title}: ${uri}${description === undefined ? "" : `\n${description}`}`,
  ...(annotations && { annotations }),
  ...(_meta && { _meta }),
});

/** Content had no audio yet. */
const asResource = ({ data, mimeType, type: _type, ...rest }: AudioContent): EmbeddedResource => ({
  ...rest,
  type: "resource",
  resource: { uri: "embedded:audio", mimeType, blob: data },
});

interface Contents {
  readonly content?: readonly ContentBlock[];
  readonly messages?: readonly { readonly content: ContentBlock }[];
}

/** The result of a tool or prompt, with each block of a kind that a revision doesn't know replaced. */
function replaceBlocks<Kind extends ContentBlock["type"]>(
  method: string,
  result: object,
  kind: Kind,
  replace: (block: Extract<ContentBlock, { readonly type: Kind }>) => ContentBlock,
): object {
  const known = (block: ContentBlock): ContentBlock =>
    block.type === kind ? replace(block as Extract<ContentBlock, { readonly type: Kind }>) : block;
  const { content, messages } = result as Contents;
  if (method === "tools/call" && content?.some(({ type }) => type === kind))
    return { ...result, content: content.map(known) };
  if (method === "prompts/get" && messages?.some((message) => message.content.type === kind))
    return { ...result, messages: messages.map((message) => ({ ...message, content: known(message.content) })) };
  return result;
}
