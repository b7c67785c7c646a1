import type { ContentBlock } from "./content.ts";
import type { Icon } from "./implementation.ts";
import type { JsonSchema } from "./json.ts";
import type { Meta } from "./meta.ts";

/** Hints about a tool's behaviour; not to be trusted unless the server is. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as `tools/list` shows it. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema & { readonly type: "object" };
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  /** 2025-11-25 only: may it be called as a task? */
  readonly execution?: { readonly taskSupport?: "forbidden" | "optional" | "required" };
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** What `tools/call` gives. With `isError` the content says what went wrong, for the model to read. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Meta;
}

export interface ListToolsResult {
  readonly tools: readonly Tool[];
  readonly nextCursor?: string;
  readonly _meta?: Meta;
}
