import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { filesUnder, foldersIn } from "../files.ts";
import { cyclesIn } from "./cycles.ts";
import { dependencyProblems } from "./dependencies.ts";
import { type Import, importsOf } from "./imports.ts";
import { type Rule, rules } from "./rules.ts";

/** Every import against the arrows, every cycle, every undeclared dependency below `root`; a problem a line. */
export function arrowProblems(root: string): string[] {
  const folders = foldersIn(join(root, "packages"));
  return folders.flatMap((folder) => {
    const name = relative(join(root, "packages"), folder);
    const rule = rules[name];
    if (rule === undefined) return [`packages/${name} has no row in scripts/arrows/rules.ts`];
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return [
      ...dependencyProblems(manifest, rule).map((problem) => `packages/${name}/package.json: ${problem}`),
      ...sourceProblems(root, join(folder, "src"), rule),
    ];
  });
}

function sourceProblems(root: string, source: string, rule: Rule): string[] {
  const problems: string[] = [];
  const graph = new Map<string, string[]>();
  for (const file of filesUnder(source)) {
    const name = relative(root, file);
    const inside: string[] = [];
    for (const imported of importsOf(name, readFileSync(file, "utf8"))) {
      const target = imported.from?.startsWith(".") ? join(dirname(file), imported.from) : undefined;
      const problem = target === undefined ? outsideProblem(imported, rule) : insideProblem(target, source);
      if (problem !== undefined) problems.push(`${name}:${imported.line}: ${problem}`);
      if (target !== undefined) inside.push(relative(root, target));
    }
    graph.set(name, inside);
  }
  return [...problems, ...cyclesIn(graph).map((cycle) => `import cycle: ${[...cycle, cycle[0]].join(" → ")}`)];
}

function insideProblem(target: string, source: string): string | undefined {
  if (relative(source, target).startsWith("..")) return "a relative import leaves the package's src";
  return undefined;
}

function outsideProblem({ from, typeOnly }: Import, rule: Rule): string | undefined {
  if (from === undefined) return "an import of something that is no plain string can't be checked";
  if (from.startsWith("node:")) return rule.node ? undefined : `${from} is only for packages that need Node`;
  if (typeOnly && rule.types?.includes(from)) return undefined;
  const name = from.split("/", from.startsWith("@") ? 2 : 1).join("/");
  if (!rule.dependencies.includes(name)) return `an import of ${from} goes against the arrows`;
  return undefined;
}
