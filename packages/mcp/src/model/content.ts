import type { Icon } from "./implementation.ts";
import type { Meta } from "./meta.ts";

export type Role = "user" | "assistant";

/** Hints for whoever shows or uses something. */
export interface Annotations {
  readonly audience?: readonly Role[];
  /** 0 (optional) to 1 (needed). */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

interface Block {
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

export interface TextContent extends Block {
  readonly type: "text";
  readonly text: string;
}

export interface ImageContent extends Block {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface AudioContent extends Block {
  readonly type: "audio";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

interface Contents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly _meta?: Meta;
}

export interface TextResourceContents extends Contents {
  readonly text: string;
}

export interface BlobResourceContents extends Contents {
  /** Base64. */
  readonly blob: string;
}

export type ResourceContents = TextResourceContents | BlobResourceContents;

/** A resource inside other content. */
export interface EmbeddedResource extends Block {
  readonly type: "resource";
  readonly resource: ResourceContents;
}

/** A resource that the client may read; it need not be listed. */
export interface ResourceLink extends Block {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, before any encoding. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
}

export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;
