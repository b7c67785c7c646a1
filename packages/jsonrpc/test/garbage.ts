import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Watches objects that nobody but this may hold: `checkGone` fails for those that somebody does. */
export class Garbage {
  readonly #watched: { readonly name: string; readonly ref: WeakRef<object> }[] = [];

  watch<T extends object>(name: string, value: T): T {
    this.#watched.push({ name, ref: new WeakRef(value) });
    return value;
  }

  async checkGone(): Promise<void> {
    assert.ok(this.#watched.length > 0);
    for (let round = 0; round < 20 && this.#left().length > 0; round++) {
      await new Promise((resolve) => setImmediate(resolve));
      collect();
    }
    assert.deepEqual(this.#left(), []);
  }

  #left(): string[] {
    return this.#watched.filter(({ ref }) => ref.deref() !== undefined).map(({ name }) => name);
  }
}
