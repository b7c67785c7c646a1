/** What a figure counts, and which way is better. */
export interface Figure {
  readonly name: string;
  readonly unit: "/s" | "ms" | "bytes" | "packages";
  readonly better: "more" | "less";
}

/** One measurement of one contender: a number for each figure of its row, or none where it was left out. */
export type Sample = { readonly [figure: string]: number };

/** Work that is repeated for as long as the measurement takes. */
export interface Subject {
  /** Other processes have a part in the work, so that the clock counts and not this process's processor time. */
  readonly shared?: boolean;
  /** Where one other process does all that is to be measured: the processor time in ms that it has spent so far. */
  spent?(): Promise<number>;
  /** How often the work has to be done before it is as fast as it gets, where half a second is too short. */
  readonly slow?: number;
  /** Does the work n times and checks what came of it. */
  run(n: number): Promise<void>;
  close(): void | Promise<void>;
}

/** How thorough a measurement is. */
export interface Effort {
  readonly quick: boolean;
  /** Set for the first measurement of a full run, for what takes too long to be repeated. */
  readonly once: boolean;
}

/**
 * One of those that are compared, in a process of its own, a fresh one for each round: it either prepares a subject,
 * whose rate is measured, or measures by itself.
 */
export interface Contender {
  readonly name: string;
  readonly kind: "ours" | "peer" | "bare";
  readonly prepare?: () => Subject | Promise<Subject>;
  readonly measure?: (effort: Effort) => Promise<Sample>;
}

/** What one of our contenders has to reach. */
export interface Bar {
  /** The contender that is bound (default: each of ours). */
  readonly of?: string;
  /** Default: the row's first figure. */
  readonly figure?: string;
  /** With whom it is compared, of several with the best; left out, the figure itself is meant. */
  readonly against?: string | readonly string[];
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** One line of comparison: the same work, done by each contender. */
export interface Row {
  readonly title: string;
  /** Default: one rate. The first is what the row is about. */
  readonly figures?: readonly Figure[];
  readonly contenders: readonly Contender[];
  readonly bars: readonly Bar[];
  /** How many measurements are taken in a round, in turns as samples of rates are (default: 1). */
  readonly samples?: number;
  /** Where each measurement gives the same, one round is enough. */
  readonly exact?: boolean;
  /** Flags of the contenders' processes, such as `--expose-gc`. */
  readonly flags?: readonly string[];
  /** For the reader of the results. */
  readonly note?: string;
}

/** What a subject's rate is measured as. */
export const rate: Figure = { name: "rate", unit: "/s", better: "more" };

export const figuresOf = (row: Row): readonly Figure[] => row.figures ?? [rate];
