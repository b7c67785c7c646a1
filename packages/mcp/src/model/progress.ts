/** How far a call has come; `progress` rises with each report, `total` may be unknown. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  /** For people. */
  readonly message?: string;
}
