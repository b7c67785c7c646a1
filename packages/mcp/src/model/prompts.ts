import type { ContentBlock, Role } from "./content.ts";
import type { Icon } from "./implementation.ts";
import type { Meta } from "./meta.ts";

/** One argument of a prompt; its value is a string. */
export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** A prompt as `prompts/list` shows it. */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

export interface PromptMessage {
  readonly role: Role;
  readonly content: ContentBlock;
}

/** What `prompts/get` gives. */
export interface GetPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: Meta;
}
