import type { CacheHints } from "./caching.ts";
import type { Annotations, ResourceContents } from "./content.ts";
import type { Icon } from "./implementation.ts";
import type { Meta } from "./meta.ts";

/** A resource as `resources/list` shows it. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, before any encoding. */
  readonly size?: number;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** Resources that share a form, as `resources/templates/list` shows them. */
export interface ResourceTemplate {
  /** RFC 6570; `expandTemplate` makes a URI of it. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Only where all of them have it. */
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** What `resources/read` gives. Several contents may stand behind one URI, say the files of a folder. */
export interface ReadResourceResult extends CacheHints {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: Meta;
}
