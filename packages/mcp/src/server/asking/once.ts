/** Gives what the work for this key gave, or still gives; work that failed may be tried again. */
export function once<T>(done: Map<string, Promise<unknown>>, key: string, work: () => T | Promise<T>): Promise<T> {
  const before = done.get(key) as Promise<T> | undefined;
  if (before) return before;
  const running = (async () => await work())();
  done.set(key, running);
  running.catch(() => done.delete(key));
  return running;
}
