/** ms for which a verdict stands: a key that its issuer withdraws is worth nothing after that. */
const LIFE = 5 * 60 * 1000;

const MAX = 1000;

/** Verdicts on tokens that were seen lately: to check a signature takes longer than to serve most requests. */
export class Recent<T> {
  readonly #seen = new Map<string, { readonly verdict: T; readonly until: number }>();

  get(token: string): T | undefined {
    const found = this.#seen.get(token);
    if (!found || found.until > Date.now()) return found?.verdict;
    this.#seen.delete(token);
    return undefined;
  }

  set(token: string, verdict: T): void {
    const [oldest] = this.#seen.keys();
    if (this.#seen.size >= MAX && oldest !== undefined) this.#seen.delete(oldest);
    this.#seen.set(token, { verdict, until: Date.now() + LIFE });
  }
}
