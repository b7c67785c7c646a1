import type { CacheHints } from "../model/caching.ts";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Revision } from "../revisions/index.ts";
import type { JsonSchemaValidator } from "../schema/schema.ts";
import type { Method } from "./contract.ts";

/** The lists that a server can announce changes of. */
export type ListName = "tools" | "prompts" | "resources";

/** A part of the protocol that a server has when something is registered for it. */
export interface Feature {
  /** What a client of `revision` is told. */
  capabilities(revision: Revision): ServerCapabilities;
  readonly methods: { readonly [name: string]: Method };
}

/** What a server gives to its features. */
export interface FeatureOptions {
  readonly pageSize?: number | undefined;
  readonly cache?: CacheHints | undefined;
  readonly validator?: JsonSchemaValidator | undefined;
  /** Are changes of lists announced? */
  readonly listChanged: boolean;
  /** Told of each change of the feature's list. */
  readonly changed: () => void;
  /** Told when something completes its arguments. */
  readonly completes: () => void;
}
