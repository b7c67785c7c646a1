import { type Interest, LISTS } from "./subscription.ts";

/** Those lists of an interest that `agreed` lets through, and `uris`. */
export function agreement(
  interest: Interest,
  agreed: (list: (typeof LISTS)[number]) => unknown,
  uris: readonly string[],
): Interest {
  const lists = LISTS.filter((list) => interest[list] && agreed(list)).map((list) => [list, true]);
  return { ...Object.fromEntries(lists), ...(uris.length > 0 && { uris }) };
}
