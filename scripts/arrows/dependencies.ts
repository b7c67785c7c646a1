import type { Rule } from "./rules.ts";

const fields = ["dependencies", "peerDependencies", "optionalDependencies"] as const;

export type Manifest = Readonly<Partial<Record<(typeof fields)[number], Readonly<Record<string, string>>>>>;

/** What a package's manifest installs for its users, against the rule; a problem a line. */
export function dependencyProblems(manifest: Manifest, rule: Rule): string[] {
  const actual = fields.flatMap((field) => Object.keys(manifest[field] ?? {}).map((name) => ({ field, name })));
  const unexpected = actual
    .filter(({ field, name }) => field !== "dependencies" || !rule.dependencies.includes(name))
    .map(({ field, name }) => `${name} in ${field} is not in scripts/arrows/rules.ts`);
  const missing = rule.dependencies
    .filter((name) => manifest.dependencies?.[name] === undefined)
    .map((name) => `${name} is in scripts/arrows/rules.ts but not in dependencies`);
  return [...unexpected, ...missing];
}
