import { bounded } from "./bounded.ts";

/** Whether a promise is fulfilled within so many ms. It must not reject. */
export function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), bounded(ms));
    void promise.then(() => {
      clearTimeout(late);
      resolve(true);
    });
  });
}
