import { unite } from "./scope.ts";

/** ms for which the same scopes are not asked for again at the same address. */
const PATIENCE = 5 * 60 * 1000;

/** Which scopes were asked for lately, so that a server that is never content doesn't have somebody log in for ever. */
export class Asked {
  /** When, by path and scopes. */
  readonly #times = new Map<string, number>();

  has(server: URL, scope: string | undefined): boolean {
    return Date.now() - (this.#times.get(keyOf(server, scope)) ?? -Infinity) < PATIENCE;
  }

  add(server: URL, scope: string | undefined): void {
    this.#times.set(keyOf(server, scope), Date.now());
  }

  delete(server: URL, scope: string | undefined): void {
    this.#times.delete(keyOf(server, scope));
  }
}

const keyOf = ({ pathname }: URL, scope: string | undefined): string => `${pathname} ${unite(scope) ?? ""}`;
