/** How long a program has at each step of its end, in ms. */
export interface ShutdownOptions {
  /** From the end of its stdin to SIGTERM (default 2,000). */
  readonly end?: number | undefined;
  /** From SIGTERM to SIGKILL (default 2,000). Windows has no SIGTERM: there the program is ended at once. */
  readonly terminate?: number | undefined;
}
