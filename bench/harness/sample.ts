import { type Contender, type Effort, type Sample, type Subject, rate } from "./row.ts";

/** Times in ms. Engines have compiled what they will compile of most loops after half a second. */
const FULL = { warmUp: 700, longest: 6000, slice: 100 };
const QUICK = { warmUp: 250, longest: 2500, slice: 50 };

/** A contender that is ready to be measured in this process, again and again. */
export interface Ready {
  sample(): Promise<Sample>;
  close(): void | Promise<void>;
}

export async function ready(contender: Contender, effort: Effort): Promise<Ready> {
  const { name, measure, prepare } = contender;
  if (measure) {
    let next = effort;
    const sample = (): Promise<Sample> => {
      const now = next;
      next = { ...effort, once: false };
      return measure(now);
    };
    return { sample, close: () => {} };
  }
  if (!prepare) throw new TypeError(`The contender "${name}" has neither prepare nor measure`);
  const subject = await prepare();
  const times = effort.quick ? QUICK : FULL;
  const count = await warm(subject, times);
  return {
    sample: async () => ({ [rate.name]: (count / (await timed(subject, count))) * 1000 }),
    close: () => subject.close(),
  };
}

/** Runs until nothing is cold any more. Gives how often the work fits into a slice. */
async function warm(subject: Subject, { warmUp, longest, slice }: typeof FULL): Promise<number> {
  const { slow = 0 } = subject;
  let n = 64;
  let perMs = 0;
  let done = 0;
  const start = performance.now();
  for (let since = 0; since < warmUp || (done < slow && since < longest); since = performance.now() - start) {
    const ms = await timed(subject, n);
    perMs = n / ms;
    done += n;
    if (ms < slice / 2) n *= 2;
  }
  return Math.max(1, Math.round(perMs * slice));
}

/** In ms of processor time: of the process that does the work. Of the clock where several have a part in it. */
async function timed(subject: Subject, n: number): Promise<number> {
  const spent = async (): Promise<number> => (await subject.spent?.()) ?? own();
  const clock = performance.now();
  const before = await spent();
  await subject.run(n);
  return subject.shared ? performance.now() - clock : (await spent()) - before;
}

function own(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
