import type { CacheHints } from "../model/caching.ts";
import type { Annotations, ResourceContents } from "../model/content.ts";
import type { Icon } from "../model/implementation.ts";
import type { Meta } from "../model/meta.ts";
import type { ReadResourceResult, Resource } from "../model/resources.ts";
import type { VariableName, VariablesOf } from "../uri-template/variables.ts";
import type { Complete } from "./complete.ts";
import type { McpContext } from "./context.ts";
import type { Registration } from "./registry.ts";

/** What a resource, or all resources of a template, look like to clients. */
interface ResourceFacts {
  /** For programs (default: the URI or template). */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
  /** How long clients may keep what they read (default: as the server says). */
  readonly cache?: CacheHints;
  /**
   * Called when the first client subscribes to a URI, over all connections; what it returns is called after the last
   * one has gone, whichever way. `updated` tells the subscribers that the resource has changed.
   */
  readonly watch?: Watch;
}

export type Watch = (uri: string, updated: () => void) => (() => void) | void;

export interface StaticResourceOptions extends ResourceFacts {
  /** Bytes, before any encoding. */
  readonly size?: number;
}

export interface TemplateOptions<Name extends string = string> extends ResourceFacts {
  /** Resources of this template that are to be listed. Asked each time a client lists resources. */
  readonly list?: (context: McpContext) => readonly Resource[] | Promise<readonly Resource[]>;
  /** Completes variables while a person types. */
  readonly complete?: { readonly [name in Name]?: Complete };
}

/** A URI with `{` in it is a template (RFC 6570). */
export type ResourceOptions<Uri extends string> = Uri extends `${string}{${string}`
  ? TemplateOptions<VariableName<Uri>>
  : string extends Uri
    ? StaticResourceOptions & TemplateOptions
    : StaticResourceOptions;

/** Text, bytes, contents, or a whole result; undefined says that there is no such resource. */
export type ReadReturn =
  | string
  | Uint8Array
  | ResourceContents
  | readonly ResourceContents[]
  | ReadResourceResult
  | undefined;

/** Reads a resource. `variables` are those of the template, decoded; the URI itself is `context.params.uri`. */
export type ResourceReader<Uri extends string> = (
  variables: VariablesOf<Uri>,
  context: McpContext,
) => ReadReturn | Promise<ReadReturn>;

export type AnyResourceOptions = StaticResourceOptions & TemplateOptions;
export type AnyResourceReader = (variables: never, context: McpContext) => ReadReturn | Promise<ReadReturn>;

/** A registered resource or template. */
export interface ResourceRegistration extends Registration<AnyResourceOptions, AnyResourceReader> {
  readonly uri: string;
}
