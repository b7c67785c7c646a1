import type { AudioContent, ContentBlock, ImageContent, Role, TextContent } from "./content.ts";
import type { JsonObject } from "./json.ts";
import type { Meta } from "./meta.ts";
import type { Tool } from "./tools.ts";

/** The model wants a tool to be run. */
export interface ToolUseContent {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly _meta?: Meta;
}

/** What the tool gave; `toolUseId` names the use. */
export interface ToolResultContent {
  readonly type: "tool_result";
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Meta;
}

export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

export interface SamplingMessage {
  readonly role: Role;
  readonly content: SamplingContent | readonly SamplingContent[];
  readonly _meta?: Meta;
}

/** Advice for choosing a model; priorities go from 0 to 1. */
export interface ModelPreferences {
  readonly hints?: readonly { readonly name?: string }[];
  readonly costPriority?: number;
  readonly speedPriority?: number;
  readonly intelligencePriority?: number;
}

export interface CreateMessageParams {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly modelPreferences?: ModelPreferences;
  readonly systemPrompt?: string;
  readonly includeContext?: "none" | "thisServer" | "allServers";
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly metadata?: JsonObject;
  readonly tools?: readonly Tool[];
  readonly toolChoice?: { readonly mode?: "auto" | "required" | "none" };
}

export interface CreateMessageResult extends SamplingMessage {
  readonly model: string;
  /** endTurn, stopSequence, maxTokens, toolUse, or something else. */
  readonly stopReason?: string;
}
