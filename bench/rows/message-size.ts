import { lengthTool } from "../contenders/length-tool.ts";
import { Program } from "../contenders/program.ts";
import { initialize, initialized } from "../contenders/raw-client.ts";
import type { Bar, Figure, Row, Sample } from "../harness/row.ts";

const MiB = 1024 * 1024;
const sizes = [1, 8, 64];
const timeOf = (size: number): string => `${size} MiB, time`;
const peakOf = (size: number): string => `${size} MiB, peak memory`;

async function measure(program: string, largest: number): Promise<Sample> {
  const sample: { [figure: string]: number } = {};
  for (const size of sizes.filter((one) => one <= largest)) {
    const { ms, peak } = await sendOnce(program, size * MiB);
    sample[timeOf(size)] = ms;
    sample[peakOf(size)] = peak;
  }
  return sample;
}

/** In a fresh process, which no other message has made larger. */
async function sendOnce(name: string, length: number): Promise<{ ms: number; peak: number }> {
  const program = new Program(name);
  try {
    await program.exchange(initialize);
    program.write(`${JSON.stringify(initialized)}\n`);
    await program.exchange(callWith("warm"));
    const text = "The quick brown fox jumps over the lazy dog. ".repeat(length / 45);
    const message = Buffer.from(`${JSON.stringify(callWith(text))}\n`);
    const start = performance.now();
    const { result } = (await program.exchange(message)) as { result?: { content: { text: string }[] } };
    const ms = performance.now() - start;
    const [read, peak] = (result?.content[0]?.text ?? "").split(" ").map(Number);
    if (read !== text.length) throw new Error(`Expected ${text.length} characters, got ${JSON.stringify(result)}`);
    return { ms, peak: peak ?? Number.NaN };
  } finally {
    await program.stop();
  }
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
  contenders: [
    { name: "ours", kind: "ours", measure: () => measure("length-ours", 64) },
    { name: "official 1.x", kind: "peer", measure: ({ once }) => measure("length-official-1", once ? 64 : 8) },
    { name: "official 2.x", kind: "peer", measure: ({ once }) => measure("length-official-2", once ? 64 : 8) },
    { name: "linear reader", kind: "bare", measure: () => measure("length-linear", 64) },
  ],
  bars: figures.map(({ name }): Bar => ({ figure: name, against: "linear reader", atMost: 1.5 })),
} satisfies Row;
