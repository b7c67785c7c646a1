import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";

interface Paged {
  readonly source: { readonly state: number; entries(): readonly unknown[] };
  readonly pageSize?: number | undefined;
}

/**
 * Where the page begins that a cursor names, in a list that goes on with `more`. Throws -32602 for a cursor that was not
 * given out in this state of the list.
 */
export function startOf(
  cursor: unknown,
  { source, pageSize = Infinity }: Paged,
  more: readonly unknown[] = [],
): number {
  const [, start] = typeof cursor === "string" ? cursor.split(".") : [];
  const at = Number(start);
  const isOurs = cursor === `${source.state}.${at}` && at > 0 && at % pageSize === 0;
  if (isOurs && at < source.entries().length + more.length) return at;
  throw new RpcError(INVALID_PARAMS, `Unknown cursor ${JSON.stringify(cursor)}: start again without one`);
}
