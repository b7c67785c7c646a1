// What cutting 64 small messages out of a 16 KiB chunk costs, in ns a message, JSON left aside.
// `node --import tsx bench/small-messages.ts [rounds]`
import { type Framing, contentLength, newline } from "@x/jsonrpc/framing";

const MESSAGES = 64;
const CHUNK = 16 * 1024;
const CHUNKS = 300;

let taken = 0;
const take = (text: unknown): void => {
  taken += (text as string).length;
};

const texts = (extra: number): string[] =>
  Array.from({ length: MESSAGES }, (_, id) => {
    const text = JSON.stringify({ jsonrpc: "2.0", id, method: "echo", params: [""] });
    return text.replace('""', `"${"x".repeat(CHUNK / MESSAGES - extra - text.length)}"`);
  });

const chunkOf = (framing: Framing, extra: number): Buffer =>
  Buffer.from(
    texts(extra)
      .map((text) => framing.encode(text))
      .join(""),
  );

function decoding(framing: Framing, chunk: Buffer): () => void {
  const decoder = framing.decoder(take);
  return () => decoder.push(chunk);
}

/** As `decoding`, with each chunk beginning in the middle of a message. */
function decodingAcross(framing: Framing, chunk: Buffer): () => void {
  const middle = Buffer.concat([chunk.subarray(100), chunk.subarray(0, 100)]);
  const decoder = framing.decoder(take);
  decoder.push(chunk.subarray(0, 100));
  return () => decoder.push(middle);
}

const lines = chunkOf(newline, 1);
const headed = chunkOf(contentLength, 23);
const contenders: Readonly<Record<string, () => void>> = {
  'toString().split("\\n")': () => lines.toString().split("\n").forEach(take),
  newline: decoding(newline, lines),
  "newline, chunks begin within a message": decodingAcross(newline, lines),
  "content-length": decoding(contentLength, headed),
  "content-length, chunks begin within a message": decodingAcross(contentLength, headed),
};

function nsPerMessage(run: () => void): number {
  const start = performance.now();
  for (let i = 0; i < CHUNKS; i++) run();
  return ((performance.now() - start) * 1e6) / (CHUNKS * MESSAGES);
}

// The least of many short rounds: whatever else the machine does can only add to it.
const rounds = Number(process.argv[2] ?? 100);
const best = new Map(Object.keys(contenders).map((name) => [name, Infinity]));
for (let round = 0; round < rounds; round++)
  for (const [name, run] of Object.entries(contenders))
    best.set(name, Math.min(best.get(name) ?? Infinity, nsPerMessage(run)));
const [bare = NaN] = best.values();
for (const [name, ns] of best)
  console.log(`${name.padEnd(48)}${ns.toFixed(0).padStart(5)} ns × ${(ns / bare).toFixed(2)}`);
if (taken === 0) throw new Error("nothing arrived");
