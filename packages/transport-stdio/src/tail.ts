const MAX_LINES = 20;
const MAX_LINE = 500;

/** The last lines of something that may say more than anybody wants to keep: 20, each of at most 500 characters. */
export class Tail {
  readonly #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }

  get text(): string {
    return this.#lines.join("\n");
  }
}
