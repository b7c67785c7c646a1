import type { Meta } from "./meta.ts";

/** A place that the client lets the server work in; a file: URI. */
export interface Root {
  readonly uri: string;
  readonly name?: string;
  readonly _meta?: Meta;
}

export interface ListRootsResult {
  readonly roots: readonly Root[];
}
