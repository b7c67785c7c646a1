import { LONGEST_TIMER } from "../longest-timer.ts";

/** What `answer` gives, as it settles, or undefined after `ms` without. */
export function unlessSilent<T>(answer: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), Math.min(ms, LONGEST_TIMER));
    answer.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
