/** What a stateless server says that its answer is; undefined for a plain result. */
export const kindOf = (result: unknown): unknown => (result as { resultType?: unknown } | null)?.resultType;

/** Whether the server needs nothing more, as in nearly all cases. */
export function isComplete(result: unknown): boolean {
  const kind = kindOf(result);
  return kind === undefined || kind === "complete";
}
