import { LONGEST_TIMER } from "../longest-timer.ts";
import { type Linked, Ring } from "./ring.ts";

/** Something that is looked at from time to time. */
export interface Watched extends Linked {
  /** Looks since the last sign of life; whoever sees one sets it to 0. */
  looks: number;
  /** Called when a whole period has gone by without a sign of life, and again after each further one. */
  due(): void;
}

/** Looks in one period. More would find out sooner and cost more. */
const LOOKS = 4;

type Timer = ReturnType<typeof setInterval> & { unref?(): void };

/** One timer for many things that can be overdue, none while there is nothing, and no clock on the way of a request. */
export class Watch<T extends Watched> {
  readonly #members = new Ring<T>();
  readonly #period: number;
  #timer: Timer | undefined;

  /** `period` in ms, at most a quarter more; 0 or Infinity to look at nothing. */
  constructor(period: number) {
    this.#period = period;
  }

  members(): T[] {
    return this.#members.members();
  }

  add(member: T): void {
    member.looks = 0;
    this.#members.add(member);
    if (this.#timer || !(this.#period > 0) || this.#period === Infinity) return;
    this.#timer = setInterval(() => this.#look(), Math.min(Math.max(this.#period / LOOKS, 1), LONGEST_TIMER));
    this.#timer.unref?.();
  }

  delete(member: T): void {
    this.#members.delete(member);
  }

  #look(): void {
    if (this.#members.empty) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    for (const member of this.#members.members()) {
      if (++member.looks <= LOOKS) continue;
      member.looks = 0;
      member.due();
    }
  }
}
