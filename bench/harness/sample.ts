import { type Contender, type Effort, type Sample, type Subject, rate } from "./row.ts";

/** Times in ms. Engines have compiled what they will compile of such a loop after about half a second. */
const FULL = { warmUp: 700, slice: 100 };
const QUICK = { warmUp: 250, slice: 50 };

/** A contender that is ready to be measured in this process, again and again. */
export interface Ready {
  sample(): Promise<Sample>;
  close(): void | Promise<void>;
}

export async function ready(contender: Contender, effort: Effort): Promise<Ready> {
  const { name, measure, prepare } = contender;
  if (measure) return { sample: () => measure(effort), close: () => {} };
  if (!prepare) throw new TypeError(`The contender "${name}" has neither prepare nor measure`);
  const subject = await prepare();
  const { warmUp, slice } = effort.quick ? QUICK : FULL;
  const count = await warm(subject, warmUp, slice);
  return {
    sample: async () => ({ [rate.name]: (count / (await timed(subject, count))) * 1000 }),
    close: () => subject.close(),
  };
}

/** Runs until nothing is cold any more. Gives how often the work fits into a slice. */
async function warm(subject: Subject, warmUp: number, slice: number): Promise<number> {
  let n = 64;
  let perMs = 0;
  for (const start = performance.now(); performance.now() - start < warmUp; ) {
    const ms = await timed(subject, n);
    perMs = n / ms;
    if (ms < slice / 2) n *= 2;
  }
  return Math.max(1, Math.round(perMs * slice));
}

/** In ms of this process's processor time, or of the clock where others have a part in the work. */
async function timed(subject: Subject, n: number): Promise<number> {
  const clock = performance.now();
  const cpu = process.cpuUsage();
  await subject.run(n);
  const { user, system } = process.cpuUsage(cpu);
  return subject.shared ? performance.now() - clock : (user + system) / 1000;
}
