import type { Effort, Figure, Sample } from "../harness/row.ts";

export const perConnection: Figure = { name: "heap", unit: "bytes", better: "less" };

/** What one more connection costs, garbage collected; they are kept in `open` until it has been looked at. */
export async function heapPer(connect: () => Promise<unknown>, { quick }: Effort): Promise<Sample> {
  const count = quick ? 200 : 1000;
  const open: unknown[] = [];
  for (let i = 0; i < 20; i++) open.push(await connect());
  const before = settled();
  for (let i = 0; i < count; i++) open.push(await connect());
  const after = settled();
  if (open.length !== count + 20) throw new Error("Connections are missing");
  return { [perConnection.name]: (after - before) / count };
}

/** Bytes in use, garbage collected. */
export function settled(): number {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
