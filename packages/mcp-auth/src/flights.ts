/** Work that several want at once and that is done once. */
export class Flights {
  readonly #inFlight = new Map<string, Flight<unknown>>();

  /**
   * Joins the work of this name, or begins it. Whoever aborts `signal` leaves; the signal that the work has is aborted
   * when the last has left.
   */
  join<T>(name: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal | null): Promise<T> {
    const flight = (this.#inFlight.get(name) as Flight<T> | undefined) ?? this.#begin(name, work);
    return flight.join(signal ?? undefined);
  }

  #begin<T>(name: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const flight = new Flight(work, () => {
      if (this.#inFlight.get(name) === flight) this.#inFlight.delete(name);
    });
    this.#inFlight.set(name, flight);
    return flight;
  }
}

class Flight<T> {
  readonly landed: Promise<T>;
  readonly #controller = new AbortController();
  readonly #over: () => void;
  #aboard = 0;

  /** `over` is called when nobody can join any more. */
  constructor(work: (signal: AbortSignal) => Promise<T>, over: () => void) {
    this.#over = over;
    this.landed = work(this.#controller.signal);
    this.landed.finally(over).catch(() => {});
  }

  join(signal: AbortSignal | undefined): Promise<T> {
    this.#aboard++;
    if (!signal) return this.landed;
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        reject(signal.reason);
        if (--this.#aboard > 0) return;
        this.#over();
        this.#controller.abort(signal.reason);
      };
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      this.landed.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    });
  }
}
