import { random } from "../../src/testing/random.ts";

/** Random choices that depend on the seed alone. */
export interface Numbers {
  readonly chance: (of: number) => boolean;
  /** A whole number from 0. */
  readonly below: (limit: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
}

export function numbers(seed: number): Numbers {
  const next = random(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, chance: (of) => next() < of, pick: <T>(from: readonly T[]) => from[below(from.length)] as T };
}
