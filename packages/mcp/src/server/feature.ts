import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Revision } from "../revisions/index.ts";
import type { Methods } from "./contract.ts";
import type { McpServerOptions } from "./options.ts";

/** The lists that a server can announce changes of. */
export type ListName = "tools" | "prompts" | "resources";

/** A part of the protocol that a server has when something is registered for it. */
export interface Feature {
  /** What a client of `revision` is told. */
  capabilities(revision: Revision): ServerCapabilities;
  readonly methods: Methods;
}

/** What a server gives to its features. */
export interface FeatureOptions extends McpServerOptions {
  /** Are changes of lists announced? */
  readonly listChanged: boolean;
  /** Told of each change of a list. */
  readonly changed: (list: ListName) => void;
  /** Told when something completes its arguments. */
  readonly completes: () => void;
}
