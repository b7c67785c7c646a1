/** A fenced block of a Markdown page. */
interface Fence {
  readonly language: string;
  /** What follows the language: `file=shop.ts run`. */
  readonly words: readonly string[];
  /** Lines of the page before the block's first line. */
  readonly line: number;
  readonly lines: readonly string[];
}

/** A file that a page shows, in one block or in several that continue each other. */
export interface Example {
  readonly name: string;
  /** Stands on the lines that it has in the page, so that the line in an error is the page's. */
  readonly text: string;
  readonly run: boolean;
  /** What the page says it prints; `…` stands for any text within a line. */
  readonly output: string | undefined;
}

/** The files of a page, by name. Throws for a block of TypeScript that has none, since no test would ever see it. */
export function examplesOf(markdown: string, page: string): Example[] {
  const examples = new Map<string, Example>();
  const fences = fencesOf(markdown);
  for (const [index, { language, words, line, lines }] of fences.entries()) {
    const name = words.find((word) => word.startsWith("file="))?.slice("file=".length);
    if (name === undefined) {
      if (/^(ts|typescript|js|javascript)$/.test(language))
        throw new Error(`${page}:${line}: expected \`\`\`${language} file=NAME, so that the block is checked`);
      continue;
    }
    const before = examples.get(name);
    const above = before?.text ?? "";
    const next = fences[index + 1];
    examples.set(name, {
      name,
      text: above + "\n".repeat(line - (above.split("\n").length - 1)) + lines.map((text) => `${text}\n`).join(""),
      run: before?.run === true || words.includes("run"),
      output: next?.language === "text" && words.includes("run") ? next.lines.join("\n") : before?.output,
    });
  }
  return [...examples.values()];
}

function fencesOf(markdown: string): Fence[] {
  const fences: Fence[] = [];
  const all = markdown.split(/\r?\n/);
  for (let i = 0; i < all.length; i++) {
    const [, mark, info = ""] = /^(`{3,})([^`]*)$/.exec(all[i] ?? "") ?? [];
    if (mark === undefined) continue;
    const end = all.findIndex((text, at) => at > i && text.startsWith(mark) && text.replaceAll("`", "").trim() === "");
    const close = end === -1 ? all.length : end;
    const [language = "", ...words] = info.trim().split(/\s+/);
    fences.push({ language, words, line: i + 1, lines: all.slice(i + 1, close) });
    i = close;
  }
  return fences;
}
