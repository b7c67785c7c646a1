import type { Transport } from "../transport.ts";
import { type Case, cases } from "./cases.ts";
import { within } from "./end.ts";

/** A test runner's function: `test` of node:test, Vitest or Bun, `Deno.test`. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;

/** Makes two joined transports that are not open yet. */
export type MakePair = () => readonly [Transport, Transport] | Promise<readonly [Transport, Transport]>;

/**
 * Registers a test for everything that the contract of transports promises. `make` is called for each. A transport that
 * passes works with peers of this package in every way that they use it.
 */
export function transportSuite(name: string, make: MakePair, test: TestFunction): void {
  for (const [title, run] of Object.entries(cases)) test(`${name}: ${title}`, () => runs(run, make));
  test(`${name}: nothing is left behind`, () => leavesNothing(make, Object.values(cases)));
}

/** A case that fails must not leave something open that keeps the process alive. */
async function runs(run: Case, make: MakePair): Promise<void> {
  const pair = await make();
  try {
    await run(...pair);
  } finally {
    await Promise.allSettled(pair.map((transport) => within(closed(transport), "close() settles")));
  }
}

const closed = async (transport: Transport): Promise<void> => transport.close();

type Resources = () => readonly string[];

/** Where the runtime can tell what keeps it alive, as Node can. Elsewhere that the cases end is all that is checked. */
async function leavesNothing(make: MakePair, all: readonly Case[]): Promise<void> {
  const { process } = globalThis as { process?: { getActiveResourcesInfo?: Resources } };
  const resources: Resources = () => process?.getActiveResourcesInfo?.() ?? [];
  const before = resources().length;
  for (const each of all) await runs(each, make);
  for (let round = 0; round < 100 && resources().length > before; round++)
    await new Promise<void>((resolve) => void setTimeout(resolve, 10));
  const left = resources();
  if (left.length > before) throw new Error(`Still there after close: ${left.join(", ")}`);
}
