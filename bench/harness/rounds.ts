import type { Samples } from "./bar.ts";
import { Measured } from "./measured.ts";
import type { Effort, Row, Sample } from "./row.ts";

export interface Plan {
  readonly quick: boolean;
  readonly rounds: number;
}

/** Samples of a rate in each round. One more is taken before and not counted: who waited for the others is cold. */
const RATES = 9;
/** The part of the samples that a quick run takes. */
const QUICK = 0.3;

/**
 * All samples of a row. In each round every contender gets a fresh process, since the compiler makes of the same code
 * now this, now that, and since two in one process slow each other down; within a round their samples alternate, A B C
 * A B C, so that the ones that are compared were taken in the same moment of a machine that is never quite quiet.
 */
export async function samplesOf(name: string, row: Row, plan: Plan, folder: string): Promise<Samples> {
  const samples = new Map<string, Sample[]>(row.contenders.map((contender) => [contender.name, []]));
  const rounds = row.exact ? 1 : plan.rounds;
  for (let round = 0; round < rounds; round++) {
    const effort = { quick: plan.quick, once: round === 0 && !plan.quick };
    const taken = await oneRound(name, row, effort, folder);
    for (const [contender, some] of taken) samples.get(contender)?.push(...some);
  }
  return Object.fromEntries(samples);
}

async function oneRound(name: string, row: Row, effort: Effort, folder: string): Promise<Map<string, Sample[]>> {
  const contenders: Measured[] = [];
  const samples = new Map<string, Sample[]>();
  try {
    for (const contender of row.contenders) {
      contenders.push(await Measured.start(folder, name, contender.name, row.flags ?? [], effort));
      samples.set(contender.name, []);
    }
    const areRates = row.contenders.every((one) => one.prepare);
    const wanted = Math.ceil((areRates ? RATES : (row.samples ?? 1)) * (effort.quick ? QUICK : 1));
    for (let taken = areRates ? -1 : 0; taken < wanted; taken++)
      for (const measured of contenders) {
        const sample = await measured.sample();
        if (taken >= 0) samples.get(measured.contender)?.push(sample);
      }
    return samples;
  } finally {
    for (const measured of contenders) await measured.stop();
  }
}
