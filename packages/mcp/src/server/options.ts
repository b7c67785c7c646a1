import type { CacheHints } from "../model/caching.ts";
import type { JsonObject } from "../model/json.ts";
import type { Revision } from "../revisions/index.ts";
import type { JsonSchemaValidator } from "../schema/schema.ts";
import type { SealOptions } from "./asking/seal.ts";
import type { TasksOptions } from "./tasks/store.ts";

export interface McpServerOptions {
  /** For the model: how to use this server as a whole. */
  readonly instructions?: string | undefined;
  /** The revisions that are served (default: all), newest first. */
  readonly revisions?: readonly Revision[] | undefined;
  /** Items on a page of a list (default: all on one). */
  readonly pageSize?: number | undefined;
  /** How long stateless clients may keep lists and resources, and for whom (default: not at all). */
  readonly cache?: CacheHints | undefined;
  /** Tells clients of each change of a list (default: true), as it then declares. */
  readonly listChanged?: boolean | undefined;
  /** Checks plain JSON Schemas instead of ajv, which needs `new Function`. */
  readonly validator?: JsonSchemaValidator | undefined;
  /** "lenient" takes requests that come before "notifications/initialized" (default: they are refused). */
  readonly lifecycle?: "strict" | "lenient" | undefined;
  /** Protocol extensions that this server offers, by id such as "com.example/feature", with their settings. */
  readonly extensions?: { readonly [id: string]: JsonObject } | undefined;
  /** For tools with the option `task`: how long tasks are kept, how often clients should ask, how many there may be. */
  readonly tasks?: TasksOptions | undefined;
  /** How what stateless clients carry from round to round is sealed, and how many rounds there may be (default 10). */
  readonly state?: StateOptions | undefined;
}

interface StateOptions extends SealOptions {
  readonly rounds?: number | undefined;
}
