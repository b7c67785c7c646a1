import type { GetPromptResult } from "../model/prompts.ts";
import { type RequestOptions, type Requester, need, resultIn } from "./requester.ts";

/** prompts/get */
export async function getPrompt(
  server: Requester,
  name: string,
  args: { readonly [name: string]: string } | undefined,
  options?: RequestOptions,
): Promise<GetPromptResult> {
  need(server, "prompts", "prompts/get");
  const params = args === undefined ? { name } : { name, arguments: args };
  return resultIn(await server.request("prompts/get", params, options), "prompts/get") as GetPromptResult;
}
