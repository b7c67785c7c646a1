// One 64 MiB message in 16 KiB chunks: our decoders against the reader that anyone would write first.
// `node --expose-gc --import tsx bench/linear-reader.ts [rounds]`; a process of its own for each measurement.
import { fork } from "node:child_process";
import { parse } from "@x/jsonrpc";
import { type Framing, contentLength, newline } from "@x/jsonrpc/framing";

const MESSAGE = 64 * 1024 * 1024;
const CHUNK = 16 * 1024;
const HEAD = '{"jsonrpc":"2.0","id":1,"result":[';
const TAIL = "0]}";

/** What the message is full of: pieces of JSON that end in a comma. */
const contents: Readonly<Record<string, string>> = {
  "one string a MiB": `"${"x".repeat(1024 * 1024 - 3)}",`,
  "small objects": '{"id":123,"name":"some name","tags":["a","b"],"ok":true,"price":12.5},',
  "mostly ASCII, some Chinese": `"${"x".repeat(400)}会议室${"x".repeat(400)}",`,
};

/** Fresh chunks, as a stream gives them; the whole message is nowhere in memory. */
function* chunksOf(content: string): Generator<Buffer> {
  const piece = Buffer.from(content);
  const size = Math.floor((MESSAGE - HEAD.length - TAIL.length) / piece.length) * piece.length;
  yield Buffer.from(`Content-Length: ${HEAD.length + size + TAIL.length}\r\n\r\n`);
  yield Buffer.from(HEAD);
  for (let at = 0; at < size; at += CHUNK) {
    const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK, size - at));
    for (let filled = 0; filled < chunk.length; )
      filled += piece.copy(chunk, filled, (at + filled) % piece.length, piece.length);
    yield chunk;
  }
  yield Buffer.from(TAIL);
}

function straightforward(chunks: Generator<Buffer>): unknown {
  chunks.next();
  const parts: Buffer[] = [];
  for (const chunk of chunks) parts.push(chunk);
  return JSON.parse(Buffer.concat(parts).toString());
}

function decoded(framing: Framing, chunks: Iterable<Buffer>): unknown {
  let message: unknown;
  const decoder = framing.decoder((frame) => (message = typeof frame === "string" ? parse(frame) : frame));
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
  return message;
}

const readers: Readonly<Record<string, (chunks: Generator<Buffer>) => unknown>> = {
  straightforward,
  newline: (chunks) => {
    chunks.next();
    return decoded(newline, chunks);
  },
  "content-length": (chunks) => decoded(contentLength, chunks),
};

interface Figures {
  readonly ms: number;
  readonly bytes: number;
}

function measure(reader: string, content: string): Figures {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const start = performance.now();
  const message = readers[reader]!(chunksOf(contents[content]!));
  const ms = performance.now() - start;
  if (!Array.isArray((message as { result?: unknown }).result)) throw new Error(`${reader} failed`, { cause: message });
  return { ms, bytes: process.resourceUsage().maxRSS * 1024 - before };
}

function inProcess(reader: string, content: string): Promise<Figures> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL(import.meta.url), [reader, content], { execArgv: process.execArgv });
    child.once("message", (figures) => resolve(figures as Figures));
    child.once("exit", (code) => reject(new Error(`${reader} ended with ${code}`)));
  });
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;

async function compare(content: string, rounds: number): Promise<void> {
  const names = Object.keys(readers);
  const figures = new Map(names.map((name) => [name, [] as Figures[]]));
  for (let round = 0; round < rounds; round++)
    for (const name of names) figures.get(name)!.push(await inProcess(name, content));
  console.log(`\n${content}`);
  const middle = (name: string, key: keyof Figures): number => median(figures.get(name)!.map((row) => row[key]));
  for (const name of names) {
    const cells = (["ms", "bytes"] as const).map((key) => {
      const shown =
        key === "ms" ? `${middle(name, key).toFixed(0)} ms` : `${(middle(name, key) / 2 ** 20).toFixed(0)} MiB`;
      return `${shown.padStart(9)} × ${(middle(name, key) / middle("straightforward", key)).toFixed(2)}`;
    });
    console.log(`  ${name.padEnd(16)}${cells.join("  ")}`);
  }
}

const [first, content] = process.argv.slice(2);
if (process.send && first !== undefined && content !== undefined) {
  process.send(measure(first, content));
  process.disconnect();
} else {
  for (const name of Object.keys(contents)) await compare(name, Number(first ?? 5));
}
