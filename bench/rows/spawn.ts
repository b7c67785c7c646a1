import { againstOfficial } from "../contenders/lifecycle-bars.ts";
import { Program } from "../contenders/program.ts";
import { type Lifecycle, open } from "../contenders/raw-client.ts";
import { median } from "../harness/arithmetic.ts";
import type { Effort, Figure, Row, Sample } from "../harness/row.ts";

const time: Figure = { name: "time", unit: "ms", better: "less" };

async function measure(program: string, lifecycle: Lifecycle, { quick }: Effort): Promise<Sample> {
  const times: number[] = [];
  for (let i = 0; i < (quick ? 3 : 7); i++) times.push(await firstAnswer(program, lifecycle));
  return { [time.name]: median(times) };
}

async function firstAnswer(name: string, lifecycle: Lifecycle): Promise<number> {
  const start = performance.now();
  const program = new Program(name);
  await open(program, lifecycle);
  const ms = performance.now() - start;
  await program.stop();
  return ms;
}

export default {
  title: "From spawning a stdio server to its first tool answer, built JavaScript",
  figures: [time],
  contenders: [
    { name: "ours, handshake", kind: "ours", measure: (effort) => measure("ours", "handshake", effort) },
    { name: "ours, stateless", kind: "ours", measure: (effort) => measure("ours", "stateless", effort) },
    { name: "official 1.x", kind: "peer", measure: (effort) => measure("official-1", "handshake", effort) },
    { name: "official 2.x, handshake", kind: "peer", measure: (effort) => measure("official-2", "handshake", effort) },
    { name: "official 2.x, stateless", kind: "peer", measure: (effort) => measure("official-2", "stateless", effort) },
    { name: "bare, with zod", kind: "bare", measure: (effort) => measure("bare-zod", "handshake", effort) },
    { name: "bare", kind: "bare", measure: (effort) => measure("bare", "handshake", effort) },
  ],
  bars: [{ against: "bare, with zod", atMost: 1.25 }, ...againstOfficial({ atMost: 0.6 })],
} satisfies Row;
