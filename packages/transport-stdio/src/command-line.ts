/** Longest command line in a message. */
const MAX = 120;

/** A command as one would type it, near enough for a message. */
export function commandLine(program: string, args: readonly string[]): string {
  const words = [program, ...args].map((word) => (/[\s"']/.test(word) || word === "" ? JSON.stringify(word) : word));
  const line = words.join(" ");
  return line.length > MAX ? `${line.slice(0, MAX)}…` : line;
}
