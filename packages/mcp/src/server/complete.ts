import type { McpContext } from "./context.ts";

/** Values that what a person has typed may be completed to, the best first. `others` are the arguments settled so far. */
export type Complete = (
  value: string,
  others: { readonly [name: string]: string },
  context: McpContext,
) => readonly string[] | Promise<readonly string[]>;

/** Something whose arguments may be completed. */
export interface Completable {
  /** The names of all its arguments. */
  readonly names: readonly string[];
  readonly complete: { readonly [name: string]: Complete | undefined } | undefined;
}
