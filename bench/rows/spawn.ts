import { againstOfficial } from "../contenders/lifecycle-bars.ts";
import { Program } from "../contenders/program.ts";
import { type Lifecycle, open } from "../contenders/raw-client.ts";
import type { Figure, Row, Sample } from "../harness/row.ts";

const time: Figure = { name: "time", unit: "ms", better: "less" };

async function measure(name: string, lifecycle: Lifecycle): Promise<Sample> {
  const start = performance.now();
  const program = new Program(name);
  await open(program, lifecycle);
  const ms = performance.now() - start;
  await program.stop();
  return { [time.name]: ms };
}

export default {
  title: "From spawning a stdio server to its first tool answer, built JavaScript",
  figures: [time],
  samples: 9,
  contenders: [
    { name: "ours, handshake", kind: "ours", measure: () => measure("ours", "handshake") },
    { name: "ours, stateless", kind: "ours", measure: () => measure("ours", "stateless") },
    { name: "official 1.x", kind: "peer", measure: () => measure("official-1", "handshake") },
    { name: "official 2.x, handshake", kind: "peer", measure: () => measure("official-2", "handshake") },
    { name: "official 2.x, stateless", kind: "peer", measure: () => measure("official-2", "stateless") },
    { name: "bare, with zod", kind: "bare", measure: () => measure("bare-zod", "handshake") },
    { name: "bare", kind: "bare", measure: () => measure("bare", "handshake") },
  ],
  bars: [{ against: "bare, with zod", atMost: 1.25 }, ...againstOfficial({ atMost: 0.6 })],
} satisfies Row;
