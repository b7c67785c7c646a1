import type { ContentBlock } from "../model/content.ts";

interface Contents {
  readonly content?: readonly ContentBlock[];
  readonly messages?: readonly { readonly content: ContentBlock }[];
}

/** The result of a tool or prompt, with each block of a kind that a revision doesn't know replaced. */
export function replaceBlocks<Kind extends ContentBlock["type"]>(
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
