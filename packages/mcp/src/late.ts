/** Something whose code is loaded when it is first needed. */
export class Late<T> {
  /** Undefined until it is loaded. */
  now: T | undefined;
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  open(): Promise<T> {
    return (this.#loading ??= this.#load().then((it) => (this.now = it)));
  }

  /**
   * Tells it something, if it was ever needed: at once, or when it is there, as the promise then says. Who needs it hears
   * what goes wrong with loading it.
   */
  tell(use: (it: T) => void | Promise<void>): void | Promise<void> {
    return this.now ? use(this.now) : this.#loading?.then(use, () => {});
  }
}
