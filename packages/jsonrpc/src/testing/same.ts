/** Whether two JSON values are equal, whatever the order of their members. */
export const same = (a: unknown, b: unknown): boolean => sorted(a) === sorted(b);

/** JSON with the members of every object in one order. */
export const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
