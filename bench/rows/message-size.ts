import { lengthTool } from "../contenders/length-tool.ts";
import { Program } from "../contenders/program.ts";
import { initialize, initialized } from "../contenders/raw-client.ts";
import { median } from "../harness/arithmetic.ts";
import type { Bar, Figure, Row, Sample } from "../harness/row.ts";

const MiB = 1024 * 1024;
/** In MiB, and how often each is sent to one process: the more, the less a busy moment counts. */
const repeats = new Map([
  [1, 7],
  [8, 3],
  [64, 1],
]);
const sizes = [...repeats.keys()];
const timeOf = (size: number): string => `${size} MiB, time`;
const peakOf = (size: number): string => `${size} MiB, peak memory`;

async function measure(program: string, largest: number): Promise<Sample> {
  const sample: { [figure: string]: number } = {};
  for (const [size, times] of repeats) {
    if (size > largest) continue;
    const taken = await send(program, size * MiB, times);
    sample[timeOf(size)] = median(taken.map(({ ms }) => ms));
    // Of the first: what repeating it adds says more of the garbage collector than of the reader.
    sample[peakOf(size)] = taken[0]?.peak ?? Number.NaN;
  }
  return sample;
}

/** To a fresh process, which no message of another size has made larger. */
async function send(name: string, length: number, times: number): Promise<{ ms: number; peak: number }[]> {
  const program = new Program(name);
  try {
    await program.exchange(initialize);
    program.write(`${JSON.stringify(initialized)}\n`);
    await program.exchange(callWith("warm"));
    const text = "The quick brown fox jumps over the lazy dog. ".repeat(length / 45);
    const message = Buffer.from(`${JSON.stringify(callWith(text))}\n`);
    const taken: { ms: number; peak: number }[] = [];
    for (let i = 0; i < times; i++) {
      const start = performance.now();
      const answer = await program.exchange(message);
      const ms = performance.now() - start;
      taken.push({ ms, peak: peakIn(answer, text.length) });
    }
    return taken;
  } finally {
    await program.stop();
  }
}

/** The answer says how long the text was that arrived, and the process's peak. */
function peakIn(answer: unknown, length: number): number {
  const { result } = answer as { result?: { content: { text: string }[] } };
  const [read, peak = Number.NaN] = (result?.content[0]?.text ?? "").split(" ").map(Number);
  if (read !== length) throw new Error(`Expected ${length} characters, got ${JSON.stringify(answer)}`);
  return peak;
}

const callWith = (text: string): object => ({
  jsonrpc: "2.0",
  id: "length",
  method: "tools/call",
  params: { name: lengthTool.name, arguments: { text } },
});

const figures = sizes.flatMap((size): Figure[] => [
  { name: timeOf(size), unit: "ms", better: "less" },
  { name: peakOf(size), unit: "bytes", better: "less" },
]);

export default {
  title: "One message of 1, 8 and 64 MiB to a stdio server",
  note:
    "Peak memory is all that the server's process has ever held, Node itself included. The official servers need half a " +
    "minute and more for 64 MiB, which is measured once.",
  figures,
  samples: 4,
  contenders: [
    { name: "ours", kind: "ours", measure: () => measure("length-ours", 64) },
    { name: "official 1.x", kind: "peer", measure: ({ once }) => measure("length-official-1", once ? 64 : 8) },
    { name: "official 2.x", kind: "peer", measure: ({ once }) => measure("length-official-2", once ? 64 : 8) },
    { name: "linear reader", kind: "bare", measure: () => measure("length-linear", 64) },
  ],
  bars: figures.map(({ name }): Bar => ({ figure: name, against: "linear reader", atMost: 1.5 })),
} satisfies Row;
