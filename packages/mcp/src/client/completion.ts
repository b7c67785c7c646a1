import type { Completion } from "../model/completion.ts";
import { type RequestOptions, type Requester, need, resultIn } from "./requester.ts";

/** Something whose arguments a server may complete: a prompt by its name, a resource template by its text. */
export type Reference = { readonly prompt: string } | { readonly template: string };

export interface CompleteOptions extends RequestOptions {
  /** The arguments that are settled already. */
  readonly others?: { readonly [name: string]: string } | undefined;
}

/** completion/complete */
export async function complete(
  server: Requester,
  reference: Reference,
  argument: { readonly name: string; readonly value: string },
  { others, ...options }: CompleteOptions = {},
): Promise<Completion> {
  need(server, "completions", "completion/complete");
  const ref =
    "prompt" in reference
      ? { type: "ref/prompt", name: reference.prompt }
      : { type: "ref/resource", uri: reference.template };
  const params = { ref, argument, ...(others && { context: { arguments: others } }) };
  const method = "completion/complete";
  const result = resultIn(await server.request(method, params, options), method);
  return (result as { readonly completion: Completion }).completion;
}
