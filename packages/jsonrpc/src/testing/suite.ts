import type { Transport } from "../transport.ts";
import { type Case, cases } from "./cases.ts";

/** A test runner's function: `test` of node:test, Vitest or Bun, `Deno.test`. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;

/** Makes two joined transports that are not open yet. */
export type MakePair = () => readonly [Transport, Transport] | Promise<readonly [Transport, Transport]>;

/**
 * Registers a test for everything that the contract of transports promises. `make` is called for each. A transport that
 * passes works with peers of this package in every way that they use it.
 */
export function transportSuite(name: string, make: MakePair, test: TestFunction): void {
  for (const [title, run] of Object.entries(cases)) test(`${name}: ${title}`, async () => run(...(await make())));
  test(`${name}: nothing is left behind`, () => leavesNothing(make, Object.values(cases)));
}

type Resources = () => readonly string[];

/** Where the runtime can tell what keeps it alive, as Node can. Elsewhere that the cases end is all that is checked. */
async function leavesNothing(make: MakePair, runs: readonly Case[]): Promise<void> {
  const { process } = globalThis as { process?: { getActiveResourcesInfo?: Resources } };
  const resources: Resources = () => process?.getActiveResourcesInfo?.() ?? [];
  const before = resources().length;
  for (const run of runs) await run(...(await make()));
  for (let round = 0; round < 100 && resources().length > before; round++)
    await new Promise<void>((resolve) => void setTimeout(resolve, 10));
  const left = resources();
  if (left.length > before) throw new Error(`Still there after close: ${left.join(", ")}`);
}
