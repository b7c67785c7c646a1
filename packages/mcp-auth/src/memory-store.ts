import type { Store, Stored } from "./store.ts";

/** Keeps everything until the process ends. */
export function memoryStore(): Store {
  const values = new Map<string, Stored>();
  const last = new Map<string, Promise<unknown>>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => void (value === undefined ? values.delete(key) : values.set(key, value)),
    async lock(key, work) {
      const before = last.get(key);
      const mine = (async () => {
        await before?.catch(() => {});
        return await work();
      })();
      last.set(key, mine);
      try {
        return await mine;
      } finally {
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}
