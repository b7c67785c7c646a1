/** The scopes in a list of the kind "a b". */
const scopesIn = (scope: string | undefined): readonly string[] => scope?.split(/\s+/).filter(Boolean) ?? [];

/** All scopes of all lists, each once; undefined where there is none. */
export function unite(...scopes: readonly (string | undefined)[]): string | undefined {
  const all = new Set(scopes.flatMap(scopesIn));
  return all.size === 0 ? undefined : [...all].join(" ");
}
