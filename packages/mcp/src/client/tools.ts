import type { CallToolResult } from "../model/tools.ts";
import type { ToolTypes } from "../server/tool.ts";
import type { Outputs } from "./outputs.ts";
import { type Requester, need, resultIn } from "./requester.ts";
import type { TaskCalls, ToolCallOptions } from "./tasks/calls.ts";

export type ArgsOf<T extends ToolTypes, Name> =
  Extract<T, { readonly name: Name }> extends ToolTypes<string, infer Args> ? Args : never;
export type ResultFor<T extends ToolTypes, Name> =
  Extract<T, { readonly name: Name }> extends ToolTypes<string, unknown, infer Result> ? Result : unknown;

/** What `callTool` gives: `structuredContent` has the tool's output type where that is known. */
export type ToolResult<Structured = unknown> = CallToolResult & { readonly structuredContent?: Structured };

/** tools/call */
export async function callTool(
  server: Requester,
  calls: TaskCalls,
  outputs: Outputs,
  name: string,
  args: unknown,
  options?: ToolCallOptions,
): Promise<CallToolResult> {
  need(server, "tools", "tools/call");
  const params = args === undefined ? { name } : { name, arguments: args };
  const result = resultIn(await calls.call(params, options), "tools/call") as CallToolResult;
  const checking = outputs.check(name, result);
  if (checking) await checking;
  return result;
}
