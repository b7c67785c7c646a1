import { ClosedError } from "./errors.ts";

/** 23 days in ms. A timer of much more fires at once. */
export const LONGEST_TIMER = 2e9;

/** After `drain`, ms in which handlers that have been aborted may still give an answer. */
export const LAST_ANSWERS = 5000;

/** Why what still runs when a connection ends is aborted. */
export const ended = (cause?: unknown): ClosedError =>
  new ClosedError("The connection has ended", { cause, sent: true });
