/** A command as one would type it, near enough for a message. */
export function commandLine(program: string, args: readonly string[]): string {
  return [program, ...args].map((word) => (/[\s"']/.test(word) || word === "" ? JSON.stringify(word) : word)).join(" ");
}
