import { AuthError, LoginRequired } from "./error.ts";

/** ms that the first pause lasts. Each that follows lasts twice as long. */
const FIRST = 60_000;

/**
 * Logins that came to nothing: a program that tries again by itself, such as one whose stream is cut off while nobody is
 * there, must not open page after page.
 */
export class Pause {
  #failures = 0;
  #until = 0;

  /** Whether no login should be begun now. */
  get lasts(): boolean {
    return Date.now() < this.#until;
  }

  /** Counts what a person has to do with: refusals, and logins whose code was no use. */
  failed(error: unknown): void {
    if (LoginRequired.is(error)) return;
    if (AuthError.is(error) && error.step !== "authorization" && error.step !== "token") return;
    this.#until = Date.now() + FIRST * 2 ** this.#failures++;
  }

  end(): void {
    this.#failures = this.#until = 0;
  }
}
