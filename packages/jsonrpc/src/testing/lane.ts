type Direction = "in" | "out";

/** What was done to a message. */
export interface Fault {
  readonly kind: "drop" | "duplicate" | "delay" | "reorder" | "close";
  readonly direction: Direction;
  readonly message: unknown;
}

export interface FaultOptions {
  readonly seed: number;
  /** The message is lost. */
  readonly drop?: number | undefined;
  /** It arrives twice. */
  readonly duplicate?: number | undefined;
  /** It is held back, and so is everything behind it. */
  readonly delay?: number | undefined;
  /** It is held back alone: others overtake it. */
  readonly reorder?: number | undefined;
  /** The connection breaks instead of taking it. */
  readonly close?: number | undefined;
  /** The longest that a message is held back, in ms (default 10). */
  readonly maxDelay?: number | undefined;
  /** Told of every fault, in the order in which they are made. */
  readonly onFault?: ((fault: Fault) => void) | undefined;
}

interface LaneOptions<T> {
  readonly direction: Direction;
  readonly random: () => number;
  readonly faults: FaultOptions;
  /** Passes a message on. */
  readonly pass: (message: unknown, extra: T) => void | Promise<void>;
  /** Breaks the connection. */
  readonly broken: () => void;
}

interface Held<T> {
  readonly message: unknown;
  readonly extra: T;
  readonly due: number;
}

/** One direction of a faulty transport. */
export class Lane<T> {
  readonly #options: LaneOptions<T>;
  /** In the order in which they are due. */
  #held: Held<T>[] = [];
  /** When the last message is due that nothing may overtake. */
  #last = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LaneOptions<T>) {
    this.#options = options;
  }

  pass(message: unknown, extra: T): void | Promise<void> {
    if (this.#strikes("close", message)) return this.#options.broken();
    if (this.#strikes("drop", message)) return undefined;
    if (this.#strikes("duplicate", message)) this.#send(message, extra)?.catch(() => {});
    return this.#send(message, extra);
  }

  /** Lets everything go that is held back. */
  flush(): void {
    const held = this.#held;
    this.clear();
    for (const each of held) this.#letGo(each);
  }

  /** Loses everything that is held back. */
  clear(): void {
    this.#held = [];
    clearTimeout(this.#timer);
  }

  #strikes(kind: Fault["kind"], message: unknown): boolean {
    // A number for each kind, so that one chance more or less doesn't change what happens to the rest.
    const { direction, faults, random } = this.#options;
    const struck = random() < (faults[kind] ?? 0);
    if (struck) faults.onFault?.({ kind, direction, message });
    return struck;
  }

  #send(message: unknown, extra: T): void | Promise<void> {
    const now = performance.now();
    const pause = this.#options.random() * (this.#options.faults.maxDelay ?? 10);
    const alone = this.#strikes("reorder", message);
    const due = this.#strikes("delay", message) || alone ? now + pause : now;
    if (alone) return this.#hold({ message, extra, due });
    this.#last = Math.max(this.#last, due);
    return this.#last > now || this.#held.some((each) => each.due <= now)
      ? this.#hold({ message, extra, due: this.#last })
      : this.#options.pass(message, extra);
  }

  #hold(held: Held<T>): void {
    const at = this.#held.findLastIndex(({ due }) => due <= held.due);
    this.#held.splice(at + 1, 0, held);
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const [first] = this.#held;
    if (first) this.#timer = setTimeout(() => this.#release(), Math.max(first.due - performance.now(), 0));
  }

  #release(): void {
    const now = performance.now();
    const later = this.#held.findIndex(({ due }) => due > now);
    for (const each of this.#held.splice(0, later === -1 ? this.#held.length : later)) this.#letGo(each);
    this.#wait();
  }

  /** Nobody waits for it any more: where it can't be sent it is lost. */
  #letGo({ message, extra }: Held<T>): void {
    try {
      this.#options.pass(message, extra)?.catch(() => {});
    } catch {
      // Closed meanwhile.
    }
  }
}
