import type { Progress } from "../model/progress.ts";

type Listener = (progress: Progress) => unknown;

/** The reports of one call. A handler that starts again reports again from the start: nobody hears that twice. */
export class Heard {
  readonly #listener: Listener;
  #best = -Infinity;
  #floor = -Infinity;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  /** The call starts again. */
  again(): void {
    this.#floor = this.#best;
  }

  readonly hear: Listener = (report) => {
    if (report.progress <= this.#floor) return undefined;
    this.#best = Math.max(this.#best, report.progress);
    return this.#listener(report);
  };
}
