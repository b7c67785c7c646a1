import type { Icon } from "../model/implementation.ts";
import type { ContentBlock } from "../model/content.ts";
import type { Meta } from "../model/meta.ts";
import type { CallToolResult, ToolAnnotations } from "../model/tools.ts";
import type { InputOf, OutputOf, Schema } from "../schema/compile.ts";
import type { TaskUse } from "./tasks/use.ts";
import type { McpContext } from "./context.ts";
import type { Registration } from "./registry.ts";

export interface ToolOptions<In = unknown, Out = unknown> {
  readonly title?: string;
  /** For the model: what it does and when to use it. */
  readonly description?: string;
  /** Schema of the arguments; the handler gets what it lets through. */
  readonly input?: In;
  /** Schema of the result; the handler returns such a value, which is checked and sent as structured content. */
  readonly output?: Out;
  /** Long work: "optional" lets calls go on as tasks (see McpContext.detach), "required" refuses clients that can't follow one. */
  readonly task?: TaskUse;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** A string, content blocks, or a whole result. */
export type ToolReturn = string | readonly ContentBlock[] | ContentBlock | CallToolResult;

/**
 * Answers a call of a tool: with an output schema by the value itself. A choice between two functions rather than one
 * with a choice in its result, since only then does TypeScript see what `return { type: "text", … }` is meant to be.
 */
export type ToolHandler<In, Out> = undefined extends Out
  ? (args: ArgsOf<In>, context: McpContext) => ToolReturn | void | Promise<ToolReturn | void>
  : (args: ArgsOf<In>, context: McpContext) => ValueOf<Out> | Promise<ValueOf<Out>>;

type ArgsOf<In> = OutputOf<In, Record<string, unknown>>;
type ValueOf<Out> = InputOf<Out, unknown> | CallToolResult;

export type AnyToolOptions = ToolOptions<Schema, Schema>;
export type AnyToolHandler = (args: never, context: McpContext) => unknown;

/** Types of a tool, for a client that calls it by them. */
export interface ToolTypes<Name extends string = string, Args = unknown, Result = unknown> {
  readonly name: Name;
  readonly "~types"?: { readonly args: Args; readonly result: Result };
}

/**
 * A registered tool, by its schemas: their types are looked at where a client is given them (ToolTypes), and not for each
 * tool, which would cost the compiler half as much again.
 */
export interface ToolRegistration<Name extends string = string, In = unknown, Out = unknown>
  extends Registration<AnyToolOptions, AnyToolHandler> {
  readonly name: Name;
  readonly "~types"?: {
    readonly args: unknown extends In ? unknown : InputOf<In, Record<string, unknown>>;
    readonly result: OutputOf<Out, unknown>;
  };
}
