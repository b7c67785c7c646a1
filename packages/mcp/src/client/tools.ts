import { Late } from "../late.ts";
import type { CallToolResult } from "../model/tools.ts";
import type { JsonSchemaValidator } from "../schema/schema.ts";
import type { ToolTypes } from "../server/tool.ts";
import type { Catalog } from "./catalog.ts";
import type { Outputs } from "./outputs.ts";
import { type Requester, need, resultIn } from "./requester.ts";
import type { TaskCalls } from "./tasks/calls.ts";
import type { ToolCallOptions } from "./tasks/options.ts";

export type ArgsOf<T extends ToolTypes, Name> =
  Extract<T, { readonly name: Name }> extends ToolTypes<string, infer Args> ? Args : never;
export type ResultFor<T extends ToolTypes, Name> =
  Extract<T, { readonly name: Name }> extends ToolTypes<string, unknown, infer Result> ? Result : unknown;

/** What `callTool` gives: `structuredContent` has the tool's output type where that is known. */
export type ToolResult<Structured = unknown> = CallToolResult & { readonly structuredContent?: Structured };

/** tools/call, and the checks around it. */
export class Tools {
  readonly #server: Requester;
  readonly #calls: TaskCalls;
  readonly #catalog: Catalog;
  readonly #outputs: Late<Outputs>;

  constructor(server: Requester, calls: TaskCalls, catalog: Catalog, validator: JsonSchemaValidator | undefined) {
    this.#server = server;
    this.#calls = calls;
    this.#catalog = catalog;
    this.#outputs = new Late(async () => {
      const { Outputs } = await import("./outputs.ts");
      return new Outputs(catalog, validator);
    });
  }

  async call(name: string, args: unknown, options?: ToolCallOptions): Promise<CallToolResult> {
    need(this.#server, "tools", "tools/call");
    const params = args === undefined ? { name } : { name, arguments: args };
    const result = resultIn(await this.#calls.call(params, options), "tools/call") as CallToolResult;
    // What failed is never looked at.
    if (!result.isError && (Object.hasOwn(result, "structuredContent") || this.#catalog.get(name)?.output))
      await (await this.#outputs.open()).check(name, result);
    return result;
  }
}
