import type { Icon } from "../model/implementation.ts";
import type { Meta } from "../model/meta.ts";
import type { GetPromptResult, PromptArgument, PromptMessage } from "../model/prompts.ts";
import type { OutputOf, Schema } from "../schema/compile.ts";
import type { Complete } from "./complete.ts";
import type { McpContext } from "./context.ts";
import type { Registration } from "./registry.ts";

export interface PromptOptions<Taken = unknown> {
  readonly title?: string;
  readonly description?: string;
  /** What the prompt takes: a list, or the schema of an object of strings. The handler gets what it lets through. */
  readonly arguments?: Taken;
  /** Completes arguments while a person types. */
  readonly complete?: { readonly [name in keyof PromptArguments<Taken>]?: Complete };
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** Arguments by name, as their list or schema has them. */
export type PromptArguments<Taken> = Taken extends readonly PromptArgument[]
  ? { readonly [one in Required<Taken[number]>["name"]]: string } & {
      readonly [one in Exclude<Taken[number]["name"], Required<Taken[number]>["name"]>]?: string;
    }
  : OutputOf<Taken, { readonly [name: string]: string }>;

type Required<One extends PromptArgument> = Extract<One, { readonly required: true }>;

/** A text that the user says, messages, or a whole result. */
export type PromptReturn = string | PromptMessage | readonly PromptMessage[] | GetPromptResult;

export type PromptHandler<Taken> = (
  args: PromptArguments<Taken>,
  context: McpContext,
) => PromptReturn | Promise<PromptReturn>;

export type AnyPromptOptions = Omit<PromptOptions<Schema | readonly PromptArgument[]>, "complete"> & {
  readonly complete?: { readonly [name: string]: Complete };
};
export type AnyPromptHandler = (args: never, context: McpContext) => unknown;

/** A registered prompt. */
export interface PromptRegistration extends Registration<AnyPromptOptions, AnyPromptHandler> {
  readonly name: string;
}
