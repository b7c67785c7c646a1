/** Longest line in characters; a longer one is given in pieces. */
const MAX_LINE = 8192;

/** Cuts text that comes as bytes into lines. Bytes that are no UTF-8 become U+FFFD. */
export class Lines {
  readonly #decoder = new TextDecoder();
  readonly #line: (line: string) => void;
  #rest = "";

  constructor(line: (line: string) => void) {
    this.#line = line;
  }

  push(chunk: Uint8Array): void {
    this.#rest += this.#decoder.decode(chunk, { stream: true });
    const lines = this.#rest.split(/\r?\n/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#give(line);
    if (this.#rest.length > MAX_LINE) this.end();
  }

  /** Gives the last line, which nothing has ended. */
  end(): void {
    if (this.#rest !== "") this.#give(this.#rest);
    this.#rest = "";
  }

  #give(line: string): void {
    for (let at = 0; at === 0 || at < line.length; at += MAX_LINE) this.#line(line.slice(at, at + MAX_LINE));
  }
}
