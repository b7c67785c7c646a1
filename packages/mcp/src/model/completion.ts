/** Values that an argument may be completed to, the best first. */
export interface Completion {
  /** At most 100. */
  readonly values: readonly string[];
  /** How many there are in all. */
  readonly total?: number;
  readonly hasMore?: boolean;
}
