/** The contract of programs/tools.ts. */
export type Tools = {
  echo(params: unknown): unknown;
  sleep(params: { ms: number }): number;
  /** Answers when it is aborted. */
  stubborn(): string;
  big(params: { bytes: number }): string;
  /** Writes to stdout with console.log. */
  print(params: { text: string }): void;
  environment(): Record<string, string>;
  /** The server sends itself a signal. */
  kill(params: { signal: string }): void;
  breakStdin(): void;
  /** What comes of it when somebody else wants stdin and stdout too. */
  again(): string;
  exit(params: { code: number }): void;
};
