/** A copy of a value in which the member at a path is covered; `*` stands for every member. */
export function redact(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  for (const key of Object.keys(copy))
    if (name === "*" || name === key) copy[key] = rest.length > 0 ? redact(copy[key], rest) : "[redacted]";
  return copy;
}
